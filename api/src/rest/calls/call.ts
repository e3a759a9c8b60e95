import type { AppError, ErrorCode } from '../../base/errors.ts';
import { shownAlertFields } from '../../entities/shown-alert-fields.ts';

/** The result of an operation, with ids as numbers. */
export type Data = Readonly<Record<string, unknown>>;

/** JSON Schema 2020-12, as in OpenAPI 3.1. */
export interface JsonSchema {
  [keyword: string]: unknown;
}

/** Makes the body of a successful response from the operation's result, and describes it. */
export interface Answer {
  /** @throws AppError if nothing was found */
  of(data: Data): unknown;
  /** @param at returns the schema at a path of the operation's result, like 'matches.nodes.listing', without null */
  schema(at: (path: string) => JsonSchema): JsonSchema;
}

/** The value of one field of the operation, unchanged. */
export const field = (name: string): Answer => ({ of: (data) => data[name], schema: (at) => at(name) });

/** The same, but null is answered with NOT_FOUND. */
export const found = (name: string, missing: () => AppError): Answer => ({
  of(data) {
    const value = data[name];
    if (value === null) throw missing();
    return value;
  },
  schema: (at) => at(name),
});

/**
 * The same without its null fields, for results with several outcomes. @param outcomes the fields of each outcome
 * @param beside further optional fields
 */
export const outcome = (
  name: string,
  outcomes: readonly (readonly string[])[],
  beside: readonly string[] = [],
): Answer => ({
  of: (data) => Object.fromEntries(Object.entries(data[name] ?? {}).filter(([, value]) => value !== null)),
  schema: (at) => ({
    type: 'object',
    properties: Object.fromEntries([...outcomes.flat(), ...beside].map((inner) => [inner, at(`${name}.${inner}`)])),
    anyOf: outcomes.map((required) => ({ required })),
  }),
});

/** A constant body. */
export const constant = (text: string): Answer => ({ of: () => text, schema: () => ({ type: 'string', const: text }) });

/** A message and further fields. @param beside maps names in the body to fields of the operation */
export const sentence = (message: string, beside: Readonly<Record<string, string>> = {}): Answer =>
  parts({ message: constant(message) }, beside);

/** An object that is put together from other bodies and from fields of the operation. */
export function parts(made: Readonly<Record<string, Answer>>, asked: Readonly<Record<string, string>> = {}): Answer {
  const all = { ...made, ...Object.fromEntries(Object.entries(asked).map(([name, from]) => [name, field(from)])) };
  const each = <T>(make: (answer: Answer) => T) =>
    Object.fromEntries(Object.entries(all).map(([name, answer]) => [name, make(answer)]));
  return {
    of: (data) => each((answer) => answer.of(data)),
    schema: (at) => ({ type: 'object', properties: each((answer) => answer.schema(at)), required: Object.keys(all) }),
  };
}

/** The fields that REST returns of each type, wherever it occurs. */
export const user = 'id username email pendingEmail phone emailConfirmed phoneConfirmed timeZone newCount';

export const alert = [...shownAlertFields, 'newCount']
  .map((name) => (name === 'quietHours' ? 'quietHours { from to days }' : name))
  .join(' ');

export const alertOutcome = `index alert { ${alert} } error { code message fields needsUpgrade }`;

export const listing = `id carId title price imageUrl images trim mileage transmission fuel drive body titleStatus seller color
  condition location { reverse_geocode { city state } } latitude longitude distance year make model isNew viewed saved
  hidden note status url createdAt alertIds priceBand { low middle high n rating reason } daysOnMarket relists
  cautions { kind reason }`;

export const matchLine = `cursor match { matchedAt announced foundByBackfill distance alertId listing { ${listing} }
  verdicts { criterion verdict asked found } receipt { listedAt seenAt matchedAt handedOverAt deliveredAt } }`;

export const plan = 'id name description price monthlyPrice alertLimit isPopular features';

export const currentSubscription =
  'planId subscriptionPlanId planName status currentPeriodEnd graceEndsAt alertsToResume';

export const canCreateAlert = 'canCreateAlert needsUpgrade alertsUsed alertLimit alertsToResume';

export const deletionRequest = 'id requestId userId username reason status notes createdAt';

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** A file to download, with a line for each item of a list. */
export interface CsvFile {
  file: string;
  columns: readonly { name: string; of(item: unknown): string | number | null }[];
}

/** One row of the REST API: a method and a path, and the GraphQL operation that they run. */
export interface Call {
  method: Method;
  /** The path below /api, like '/alerts/{id}'; names in braces are variables of the operation. */
  path: string;
  /** The purpose in one line. */
  summary: string;
  /** The heading in the description. */
  tag: 'Account' | 'Alerts' | 'Listings' | 'Subscription' | 'Contact' | 'Status' | 'Admin' | 'Debug';
  /** Requires a signed-in user, although the operation is open to visitors. */
  signedIn?: true;
  /**
   * The GraphQL operation; `policies/operations` states who may call it. Variables that are neither in the path nor in
   * the query come from the body: an input object by its fields, others by name.
   */
  operation: string;
  /** Names in the query string, with the variables that they set. */
  query?: Readonly<Record<string, string>>;
  /** The status of a success, if not 200. */
  status?: 201;
  answer: Answer;
  /** For paged lists: the cursor of the next page. */
  next?(data: Data): string | null;
  /** The list, and those of all following pages, are sent as newline-delimited JSON. */
  lines?: true;
  /** The same as a CSV file for spreadsheets. */
  csv?: CsvFile;
  /** Error codes beyond those of all such calls: see `errorCodesOf`. */
  failures?: readonly ErrorCode[];
  /** Fields that a body must not set, because the server does. */
  guarded?: true;
  /** Fields of the body of which at least one must not be empty. */
  oneNeeded?: readonly string[];
  /** Accepts an Idempotency-Key: repeated calls with one key take effect once. */
  once?: true;
  /** Runs before the operation. */
  before?(): Promise<void>;
}

/** Fields of an alert, a profile or a registration that only the server sets. */
export const guardedFields = ['id', 'userId', 'planId', 'role', 'createdAt', 'expiresAt', 'matchCount'] as const;

/** Aliases of fields. */
export const aliases: Readonly<Record<string, string>> = { phoneNumber: 'phone' };

/** Returns the variables in the path, in order. */
export const pathVariables = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
