import {
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  getOperationAST,
  isLeafType,
  isNonNullType,
  isObjectType,
} from 'graphql';
import { type CompiledCall, compileCall } from '../../src/rest/calls/compiled-call.ts';
import { callTable } from '../../src/rest/calls/table.ts';
import { fittingValue } from '../hostile/root-fields.ts';
import type { Actor, Resources } from './people.ts';
import { type Relation, rules, type Surface } from './rules.ts';

/** One way to call an operation: over GraphQL, over a socket, or a row of REST. */
export interface Invocation {
  surface: Surface;
  /** Its name in the schema. */
  operation: string;
  /** How a report names it. */
  title: string;
  /** The GraphQL document; null for REST. */
  query: string | null;
  call: CompiledCall | null;
  argumentsFor(resources: Resources): Record<string, unknown>;
}

const missing: Resources = {
  alert: '987654321',
  listing: '987654321',
  notification: '00000000-0000-4000-8000-000000000000',
  cursor: '0',
  webhook: '987654321',
  delivery: '987654321',
  key: '987654321',
  session: '987654321',
  device: '987654321',
  link: '987654321',
  checkout: 'cs-missing',
  user: '987654321',
  request: 'DR-ZZZZZZ',
  confirmToken: 'x.y',
  resetToken: 'x.y',
  sharedToken: 'x'.repeat(43),
  username: 'no-such-user',
  password: 'a guess-1',
};

export function resourcesOf(relation: Relation, actor: Actor, foreign: Actor): Resources {
  if (relation === 'missing') return missing;
  return relation === 'foreign' ? foreign.own : actor.own;
}

/** Whose resources an operation is called with. */
export function relationsOf({ operation, call }: Invocation): readonly Relation[] {
  const resource = rules[operation]?.resource;
  // A REST call without parameters names no resource: it lists.
  const namesNothing = call && call.path.length + call.query.length === 0 && call.body === null;
  if (!resource || namesNothing) return ['none'];
  // A token is a credential: it works for anyone who holds it, so another user's is no special case.
  return resource === 'token' ? ['own', 'missing'] : ['own', 'foreign', 'missing'];
}

/** Arguments that every operation leaves out: they choose a page or a part. */
const commonArguments: Readonly<Record<string, (resources: Resources) => unknown>> = {
  after: () => undefined,
  ids: () => undefined,
};
/** A source at an address that nobody answers. */
const lot = (name: string) => ({
  name,
  kind: 'vehicle-feed',
  fields: [{ name: 'url', value: 'http://127.0.0.1:9/feed.csv' }],
});
/** Arguments by operation, where type and name alone do not give a fitting value. */
const argumentsByOperation: Readonly<Record<string, Readonly<Record<string, (resources: Resources) => unknown>>>> = {
  alert: { id: ({ alert }) => alert },
  alerts: { ids: ({ alert }) => [alert] },
  listing: { id: ({ listing }) => listing },
  carHistory: { listingId: ({ listing }) => listing },
  comparableCars: { listingId: ({ listing }) => listing },
  sellerText: { listingId: ({ listing }) => listing },
  explainListing: { alertId: ({ alert }) => alert, listing: ({ listing }) => `#${listing}` },
  matches: { alertId: ({ alert }) => alert },
  matchLog: { alertId: ({ alert }) => alert },
  matchMap: { alertId: ({ alert }) => alert },
  matchAdded: { alertId: ({ alert }) => alert, after: ({ cursor }) => cursor },
  webhook: { id: ({ webhook }) => webhook },
  checkoutSession: { sessionId: ({ checkout }) => checkout },
  resetAccess: { token: ({ resetToken }) => resetToken },
  shared: { token: ({ sharedToken }) => sharedToken },
  locationSuggestions: { text: () => '90001' },
  readWish: { text: () => 'civic under 9k' },
  deletionRequests: { status: () => undefined },
  quarantine: { source: () => 'lot', code: () => 'NO_ID' },
  dismissQuarantined: { source: () => 'lot', code: () => 'NO_ID' },
  retryQuarantined: { source: () => 'lot', code: () => 'NO_ID' },
  createSource: { input: () => lot('new-lot') },
  endSource: { name: () => 'lot' },
  resumeSource: { name: () => 'lot' },
  trySource: { input: () => lot('lot') },
  updateSource: { input: () => lot('lot'), version: () => 1 },
  createAlert: { pause: () => undefined },
  deleteAlert: { id: ({ alert }) => alert },
  renewAlert: { id: ({ alert }) => alert },
  snoozeAlert: { id: ({ alert }) => alert, days: () => 1 },
  pauseAll: { paused: () => true },
  resendNotification: { id: ({ notification }) => notification },
  updateAlertDefaults: { input: () => ({ delivery: 'daily' }) },
  updateAlert: { id: ({ alert }) => alert },
  updateAlerts: { alerts: ({ alert }) => [{ id: alert, radius: 25 }] },
  sendTestNotification: { alertId: ({ alert }) => alert },
  markListingViewed: { id: ({ listing }) => listing },
  saveListing: { id: ({ listing }) => listing, saved: () => true },
  noteOnListing: { id: ({ listing }) => listing, note: () => 'Ask about the tires' },
  hideCar: { id: ({ listing }) => listing, hidden: () => true },
  shareAlert: { id: ({ alert }) => alert },
  shareListings: { ids: ({ listing }) => [listing] },
  endSharedLink: { id: ({ link }) => link },
  updateWebhook: { id: ({ webhook }) => webhook, url: () => undefined },
  deleteWebhook: { id: ({ webhook }) => webhook },
  pauseWebhook: { id: ({ webhook }) => webhook },
  resumeWebhook: { id: ({ webhook }) => webhook },
  rotateWebhookSecret: { id: ({ webhook }) => webhook },
  sendTestEvent: { webhookId: ({ webhook }) => webhook },
  replayDelivery: { id: ({ delivery }) => delivery },
  replayEvents: { webhookId: ({ webhook }) => webhook, afterCursor: () => '0', since: () => undefined },
  rotateApiKey: { id: ({ key }) => key },
  revokeApiKey: { id: ({ key }) => key },
  endSession: { id: ({ session }) => session },
  removePushSubscription: { id: ({ device }) => device },
  verifySubscription: { sessionId: ({ checkout }) => checkout, planId: () => '2' },
  executeDeletion: { userId: ({ user }) => user },
  updateDeletionRequest: { requestId: ({ request }) => request, status: () => 'approved', notes: () => 'Looked at' },
  confirmEmail: { token: ({ confirmToken }) => confirmToken },
  resetPassword: {
    token: ({ resetToken }) => resetToken,
    newPassword: () => 'quite-another-9',
    endApiKeys: () => undefined,
    endWebhooks: () => undefined,
  },
  login: { username: ({ username }) => username, password: ({ password }) => password },
  changePassword: { currentPassword: ({ password }) => password, newPassword: () => 'quite-another-9' },
  confirmPassword: { currentPassword: ({ password }) => password },
  confirmPhone: { code: () => '123456' },
  confirmSecondFactor: { code: () => '123456' },
  renewRecoveryCodes: { code: () => '123456' },
  endSecondFactor: { code: () => '123456' },
  register: {
    input: () => ({ username: 'newcomer', password: 'quite-another-9', email: 'newcomer@example.test' }),
  },
  updateProfile: { input: () => ({ email: 'elsewhere@example.test' }) },
  requestPasswordReset: { email: () => 'nobody@example.test' },
};

function argumentsOf(field: GraphQLField<unknown, unknown>, resources: Resources): Record<string, unknown> {
  const given = field.args.flatMap(({ name, type }) => {
    const choose = argumentsByOperation[field.name]?.[name] ?? commonArguments[name];
    const value = choose ? choose(resources) : fittingValue(name, type);
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(given);
}

const MAX_DEPTH = 5;
/** Long fields that are the same for every user. */
const skippedFields = ['offers', 'priceHistory', 'attempts', 'priceBand'];

/** Selects every field of a type, up to a depth. */
function selectionOf(type: GraphQLOutputType, depth = 0): string {
  const named = getNamedType(type);
  if (isLeafType(named)) return '';
  const fields = Object.values((named as GraphQLObjectType).getFields()).flatMap((field) => {
    if (skippedFields.includes(field.name) || field.args.some((arg) => isNonNullType(arg.type))) return [];
    const inner = selectionOf(field.type, depth + 1);
    if (isObjectType(getNamedType(field.type)) && depth >= MAX_DEPTH) return [];
    return [field.args.some(({ name }) => name === 'first') ? `${field.name}(first: 5)${inner}` : field.name + inner];
  });
  return ` { ${fields.join(' ')} }`;
}

function graphqlInvocation(kind: string, field: GraphQLField<unknown, unknown>, surface: Surface): Invocation {
  const used = argumentsOf(field, missing);
  const args = field.args.filter(({ name }) => used[name] !== undefined);
  const declared = args.map(({ name, type }) => `$${name}: ${String(type)}`).join(', ');
  const passed = args.map(({ name }) => `${name}: $${name}`).join(', ');
  const [head, call] = args.length > 0 ? [` (${declared})`, `(${passed})`] : ['', ''];
  return {
    surface,
    operation: field.name,
    title: `${surface} ${field.name}`,
    query: `${kind}${head} { ${field.name}${call}${selectionOf(field.type)} }`,
    call: null,
    argumentsFor: (resources) => argumentsOf(field, resources),
  };
}

/** The operation's arguments, by the names of the REST call's variables. */
function variablesOf({ document, kind, roots }: CompiledCall, schema: GraphQLSchema, resources: Resources) {
  const root = schema.getRootType(kind as Parameters<GraphQLSchema['getRootType']>[0]);
  const field = root?.getFields()[roots[0] ?? ''];
  const node = getOperationAST(document)?.selectionSet.selections[0];
  if (!field || node?.kind !== 'Field') throw new Error('A REST call must run exactly one root field.');
  const values = argumentsOf(field, resources);
  const variables: Record<string, unknown> = {};
  for (const { name, value } of node.arguments ?? []) {
    if (value.kind === 'Variable' && values[name.value] !== undefined) variables[value.name.value] = values[name.value];
  }
  return variables;
}

/** Every operation over GraphQL and over sockets, and every call of REST. */
export function allInvocations(schema: GraphQLSchema): Invocation[] {
  const roots = {
    query: schema.getQueryType(),
    mutation: schema.getMutationType(),
    subscription: schema.getSubscriptionType(),
  };
  const fields = Object.entries(roots).flatMap(([kind, type]) =>
    Object.values(type?.getFields() ?? {}).map((field) => ({ kind, field })),
  );
  const overGraphql = (['graphql', 'socket'] as const).flatMap((surface) =>
    fields.map(({ kind, field }) => graphqlInvocation(kind, field, surface)),
  );
  const calls = callTable(async () => {}).map((call): Invocation => {
    const ready = compileCall(schema, call);
    return {
      surface: 'rest',
      operation: ready.roots[0] ?? '',
      title: `${call.method} ${call.path}`,
      query: null,
      call: ready,
      argumentsFor: (resources) => variablesOf(ready, schema, resources),
    };
  });
  return [...overGraphql, ...calls];
}
