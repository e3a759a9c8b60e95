import type { AppError, ErrorCode } from '../../base/errors.ts';

/** What an operation answers, its ids as numbers. */
export type Data = Readonly<Record<string, unknown>>;

/** JSON Schema 2020-12, as OpenAPI 3.1 takes it. */
export interface JsonSchema {
  [keyword: string]: unknown;
}

/** How the body of a success is made of what the operation answered. */
export interface Answer {
  /** @throws AppError where nothing was found */
  of(data: Data): unknown;
  /** @param at the schema at a place in the operation's answer, like 'matches.nodes.listing'; null can't be there */
  schema(at: (path: string) => JsonSchema): JsonSchema;
}

/** What a field of the operation answered, as it is. */
export const field = (name: string): Answer => ({ of: (data) => data[name], schema: (at) => at(name) });

/** The same where null means that there is none. */
export const found = (name: string, missing: () => AppError): Answer => ({
  of(data) {
    const value = data[name];
    if (value === null) throw missing();
    return value;
  },
  schema: (at) => at(name),
});

/**
 * The same without what is null in it: of several outcomes one is there. @param outcomes the fields of each
 * @param beside fields that may be there, too
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

/** Always the same. */
export const constant = (text: string): Answer => ({ of: () => text, schema: () => ({ type: 'string', const: text }) });

/** A sentence, and fields of the operation beside it. @param beside names in the body, and fields of the operation */
export const sentence = (message: string, beside: Readonly<Record<string, string>> = {}): Answer =>
  parts({ message: constant(message) }, beside);

/** An object of parts that are made, and of fields of the operation. */
export function parts(made: Readonly<Record<string, Answer>>, asked: Readonly<Record<string, string>> = {}): Answer {
  const all = { ...made, ...Object.fromEntries(Object.entries(asked).map(([name, from]) => [name, field(from)])) };
  const each = <T>(make: (answer: Answer) => T) =>
    Object.fromEntries(Object.entries(all).map(([name, answer]) => [name, make(answer)]));
  return {
    of: (data) => each((answer) => answer.of(data)),
    schema: (at) => ({ type: 'object', properties: each((answer) => answer.schema(at)), required: Object.keys(all) }),
  };
}

/** What REST shows of each type, the same wherever the type stands. */
export const user = 'id username email pendingEmail phone emailConfirmed phoneConfirmed timeZone';

export const alert = `id make model yearMin yearMax location place radius priceMin priceMax color onlyWithImages
  emailNotifications textNotifications isActive pausedByPlan createdAt expiresAt daysRemaining matchCount`;

export const alertOutcome = `index alert { ${alert} } error { code message fields needsUpgrade }`;

export const listing = `id carId title price imageUrl images mileage transmission color condition
  location { reverse_geocode { city state } } distance year make model isNew viewed status url createdAt alertIds`;

export const matchLine = `cursor match { matchedAt announced distance alertId listing { ${listing} }
  verdicts { criterion verdict asked found } receipt { listedAt seenAt matchedAt handedOverAt } }`;

export const plan = 'id name description price monthlyPrice alertLimit isPopular features';

export const currentSubscription =
  'planId subscriptionPlanId planName status currentPeriodEnd graceEndsAt alertsToResume';

export const canCreateAlert = 'canCreateAlert needsUpgrade alertsUsed alertLimit alertsToResume';

export const deletionRequest = 'id requestId userId username reason status notes createdAt';

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** One row of the REST API: a method and a path that stand for a GraphQL operation. */
export interface Call {
  method: Method;
  /** Below /api, like '/alerts/{id}'; what stands in braces is a variable of the operation. */
  path: string;
  /** What it is for, in a line. */
  summary: string;
  /** The heading that it stands under in the description. */
  tag: 'Account' | 'Alerts' | 'Listings' | 'Subscription' | 'Contact' | 'Admin' | 'Debug';
  /** Only for those who are signed in, though its operation answers visitors too. */
  signedIn?: true;
  /**
   * A GraphQL operation; its row in the table of operations says who may call. Variables that neither path nor query name come from the body: those of an input object by
   * its fields, others by their own names.
   */
  operation: string;
  /** Names in the query string, and the variables that they set. */
  query?: Readonly<Record<string, string>>;
  /** Of a success; 200 unless said. */
  status?: 201;
  answer: Answer;
  /** The cursor of the page that follows, for lists that come in pages. */
  next?(data: Data): string | null;
  /** The answer's list goes out line by line, one JSON text each, and so do those of all pages that follow. */
  lines?: true;
  /** What can go wrong beyond what every such call may answer: see `failuresOf`. */
  failures?: readonly ErrorCode[];
  /** Fields that a body must not set: they are the server's. */
  guarded?: true;
  /** Fields of a body of which one at least must say something. */
  oneNeeded?: readonly string[];
  /** Takes an Idempotency-Key: the same call under the same key happens once. */
  once?: true;
  /** Done before the operation. */
  before?(): Promise<void>;
}

/** What writes may not set on an alert, a profile or a registration. */
export const guardedFields = ['id', 'userId', 'planId', 'role', 'createdAt', 'expiresAt', 'matchCount'] as const;

/** Other names that a field is taken under. */
export const aliases: Readonly<Record<string, string>> = { phoneNumber: 'phone' };

/** The variables that stand in the path, in order. */
export const pathVariables = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name ?? '');
