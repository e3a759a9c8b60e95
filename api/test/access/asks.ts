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
import { makeReady, type ReadyCall } from '../../src/rest/calls/ready-call.ts';
import { callTable } from '../../src/rest/calls/table.ts';
import { fittingValue } from '../hostile/root-fields.ts';
import type { Actor, Things } from './people.ts';
import { type Relation, rules, type Surface } from './rules.ts';

/** One way to ask for an operation. */
export interface Ask {
  surface: Surface;
  /** Its name in the schema. */
  operation: string;
  /** As it is told in a report. */
  title: string;
  /** GraphQL's text; null for REST. */
  query: string | null;
  call: ReadyCall | null;
  argumentsFor(things: Things): Record<string, unknown>;
}

const missing: Things = {
  alert: '987654321',
  listing: '987654321',
  cursor: '0',
  webhook: '987654321',
  delivery: '987654321',
  key: '987654321',
  session: '987654321',
  checkout: 'cs-of-nobody',
  user: '987654321',
  request: 'DR-ZZZZZZ',
  confirmToken: 'x.y',
  resetToken: 'x.y',
  username: 'nobody-at-all',
  password: 'a guess-1',
};

export function thingsOf(relation: Relation, actor: Actor, foreign: Actor): Things {
  if (relation === 'missing') return missing;
  return relation === 'foreign' ? foreign.own : actor.own;
}

/** Whose things an operation is tried with. */
export function relationsOf({ operation, call }: Ask): readonly Relation[] {
  const about = rules[operation]?.about;
  // One call of REST lists what another finds.
  const namesNothing = call && call.path.length + call.query.length === 0 && call.body === null;
  if (!about || namesNothing) return ['none'];
  // Whoever holds another's token may use it: that is what it is for.
  return about === 'token' ? ['own', 'missing'] : ['own', 'foreign', 'missing'];
}

/** What asks for another page, or for a part, everywhere. */
const everywhere: Readonly<Record<string, (things: Things) => unknown>> = {
  after: () => undefined,
  ids: () => undefined,
};
/** What an operation is asked with, where the type and the name alone don't say it. */
const special: Readonly<Record<string, Readonly<Record<string, (things: Things) => unknown>>>> = {
  alert: { id: ({ alert }) => alert },
  alerts: { ids: ({ alert }) => [alert] },
  listing: { id: ({ listing }) => listing },
  matches: { alertId: ({ alert }) => alert },
  matchLog: { alertId: ({ alert }) => alert },
  matchAdded: { alertId: ({ alert }) => alert, after: ({ cursor }) => cursor },
  webhook: { id: ({ webhook }) => webhook },
  checkoutSession: { sessionId: ({ checkout }) => checkout },
  resetAccess: { token: ({ resetToken }) => resetToken },
  locationSuggestions: { text: () => '90001' },
  deletionRequests: { status: () => undefined },
  quarantine: { source: () => 'lot', code: () => 'NO_ID' },
  dismissQuarantined: { source: () => 'lot', code: () => 'NO_ID' },
  retryQuarantined: { source: () => 'lot', code: () => 'NO_ID' },
  deleteAlert: { id: ({ alert }) => alert },
  renewAlert: { id: ({ alert }) => alert },
  updateAlert: { id: ({ alert }) => alert },
  updateAlerts: { alerts: ({ alert }) => [{ id: alert, radius: 25 }] },
  sendTestNotification: { alertId: ({ alert }) => alert },
  markListingViewed: { id: ({ listing }) => listing },
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

function argumentsOf(field: GraphQLField<unknown, unknown>, things: Things): Record<string, unknown> {
  const given = field.args.flatMap(({ name, type }) => {
    const put = special[field.name]?.[name] ?? everywhere[name];
    const value = put ? put(things) : fittingValue(name, type);
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(given);
}

const DEEPEST = 5;
/** Long, and the same for everybody. */
const leftOut = ['offers', 'priceHistory', 'attempts'];

/** Everything that an answer can show. */
function selectionOf(type: GraphQLOutputType, depth = 0): string {
  const named = getNamedType(type);
  if (isLeafType(named)) return '';
  const fields = Object.values((named as GraphQLObjectType).getFields()).flatMap((field) => {
    if (leftOut.includes(field.name) || field.args.some((arg) => isNonNullType(arg.type))) return [];
    const inner = selectionOf(field.type, depth + 1);
    if (isObjectType(getNamedType(field.type)) && depth >= DEEPEST) return [];
    return [field.args.some(({ name }) => name === 'first') ? `${field.name}(first: 5)${inner}` : field.name + inner];
  });
  return ` { ${fields.join(' ')} }`;
}

function graphqlAsk(kind: string, field: GraphQLField<unknown, unknown>, surface: Surface): Ask {
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
    argumentsFor: (things) => argumentsOf(field, things),
  };
}

/** The operation's arguments as the variables of a call. */
function variablesOf({ document, kind, roots }: ReadyCall, schema: GraphQLSchema, things: Things) {
  const root = schema.getRootType(kind as Parameters<GraphQLSchema['getRootType']>[0]);
  const field = root?.getFields()[roots[0] ?? ''];
  const node = getOperationAST(document)?.selectionSet.selections[0];
  if (!field || node?.kind !== 'Field') throw new Error('A call stands for a field.');
  const values = argumentsOf(field, things);
  const variables: Record<string, unknown> = {};
  for (const { name, value } of node.arguments ?? []) {
    if (value.kind === 'Variable' && values[name.value] !== undefined) variables[value.name.value] = values[name.value];
  }
  return variables;
}

/** Each operation over GraphQL and sockets, and each call of REST. */
export function allAsks(schema: GraphQLSchema): Ask[] {
  const roots = {
    query: schema.getQueryType(),
    mutation: schema.getMutationType(),
    subscription: schema.getSubscriptionType(),
  };
  const fields = Object.entries(roots).flatMap(([kind, type]) =>
    Object.values(type?.getFields() ?? {}).map((field) => ({ kind, field })),
  );
  const overGraphql = (['graphql', 'socket'] as const).flatMap((surface) =>
    fields.map(({ kind, field }) => graphqlAsk(kind, field, surface)),
  );
  const calls = callTable(async () => {}).map((call): Ask => {
    const ready = makeReady(schema, call);
    return {
      surface: 'rest',
      operation: ready.roots[0] ?? '',
      title: `${call.method} ${call.path}`,
      query: null,
      call: ready,
      argumentsFor: (things) => variablesOf(ready, schema, things),
    };
  });
  return [...overGraphql, ...calls];
}
