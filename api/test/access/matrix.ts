import { createHmac } from 'node:crypto';
import type { GraphQLSchema } from 'graphql';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { sendsAllPages } from '../../src/rest/serve/send-pages.ts';
import { makeTestApi, type TestApi, type TestApiOptions } from '../make-app.ts';
import { type FakePayments, makeFakePayments } from '../payments/fake-payments.ts';
import { statusOfCode } from '../rest/rows.ts';
import { allInvocations, type Invocation, relationsOf, resourcesOf } from './invocations.ts';
import { type Actor, makePeople, type People, type Resources } from './people.ts';
import { type RowSnapshot, takeSnapshot } from './row-snapshot.ts';
import { type Case, endsOwnSocket, expected, mayShowOthers, type Relation } from './rules.ts';

/** The outcome of a request. */
interface Outcome {
  /** 'allowed', 'nothing', or the code of the refusal. */
  result: string;
  /** The whole answer. */
  text: string;
}

/** A subscription answers at once: each actor has a match to read. */
const ANSWER_MS = 20_000;

const isNothing = (value: unknown) => value === null || (Array.isArray(value) && value.length === 0);
/** Operations that answer null or an empty list where the caller has no such resource. */
const mayBeNothing = ['alert', 'alerts', 'listing', 'me', 'shared'];

/** @param value the operation's field of the answer */
function resultOf(operation: string, value: unknown): string {
  if (mayBeNothing.includes(operation)) return isNothing(value) ? 'nothing' : 'allowed';
  const [first] = Array.isArray(value) ? (value as { error?: { code?: string } | null }[]) : [];
  return first?.error?.code ?? 'allowed';
}

interface GraphqlBody {
  data?: Record<string, unknown> | null;
  errors?: { extensions?: { code?: string } }[];
  code?: string;
}

function graphqlResult({ operation }: Invocation, body: GraphqlBody): string {
  const [error] = body.errors ?? [];
  if (error) return error.extensions?.code ?? 'an error without a code';
  return body.code ?? resultOf(operation, body.data?.[operation]);
}

async function overGraphql(url: string, actor: Actor, ask: Invocation, variables: object): Promise<Outcome> {
  const response = await fetch(`${url}/graphql`, {
    method: 'POST',
    headers: { ...actor.headers, 'content-type': 'application/json' },
    body: JSON.stringify({ query: ask.query, variables }),
  });
  const text = await response.text();
  return { result: graphqlResult(ask, JSON.parse(text) as GraphqlBody), text };
}

async function overRest(
  url: string,
  actor: Actor,
  { call, operation }: Invocation,
  values: Record<string, unknown>,
): Promise<Outcome> {
  if (!call) throw new Error('The invocation has no REST call.');
  const left = { ...values };
  const path = call.call.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = encodeURIComponent(String(left[name]));
    delete left[name];
    return value;
  });
  const query = new URLSearchParams();
  for (const { name, variable } of call.query) {
    if (left[variable] !== undefined) query.set(name, String(left[variable]));
    delete left[variable];
  }
  const body = call.body && (call.body.variable === null ? left : left[call.body.variable]);
  const response = await fetch(`${url}/api${path}?${query}`, {
    method: call.call.method,
    headers: { ...actor.headers, ...(body !== null && { 'content-type': 'application/json' }) },
    ...(body !== null && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (sendsAllPages(call.call) && response.ok) return { result: 'allowed', text };
  const answer = JSON.parse(text) as { code?: string; results?: unknown };
  if (response.ok) return { result: resultOf(operation, answer.results ?? answer), text };
  const { code = `status ${response.status}` } = answer;
  return {
    result:
      statusOfCode[code] === response.status || code === 'PASSWORD_NEEDED' ? code : `${code} with ${response.status}`,
    text,
  };
}

/** The code for a closed socket: the close reason is all that a refused client learns. */
function resultOfClose({ code, reason }: { code: number; reason: string }): string {
  if (code === 4401) return 'UNAUTHENTICATED';
  return code === 4403 ? (reason.split(':')[0] ?? 'FORBIDDEN') : `closed with ${code}`;
}

async function overSocket(
  url: string,
  actor: Actor,
  ask: Invocation,
  variables: Record<string, unknown>,
): Promise<Outcome> {
  const { authorization, ...headers } = actor.headers;
  class Socket extends WebSocket {
    constructor(address: string, protocols: string | string[]) {
      super(address, protocols, { headers });
    }
  }
  const client = createClient({
    url: `${url.replace('http', 'ws')}/graphql`,
    webSocketImpl: Socket,
    ...(authorization && { connectionParams: { authorization } }),
    retryAttempts: 0,
    onNonLazyError() {},
  });
  const answered = Promise.withResolvers<Outcome>();
  const answer = (result: string, value: unknown) => answered.resolve({ result, text: JSON.stringify(value) ?? '' });
  const timer = setTimeout(() => answer('no answer', ''), ANSWER_MS);
  client.subscribe(
    { query: ask.query ?? '', variables },
    {
      next: (value) => answer(graphqlResult(ask, value as GraphqlBody), value),
      error(error) {
        if (Array.isArray(error)) answer(graphqlResult(ask, { errors: error }), error);
        else if (error && typeof error === 'object' && 'code' in error)
          answer(resultOfClose(error as { code: number; reason: string }), '');
        else answer(error instanceof Error ? error.message : 'closed', '');
      },
      complete() {},
    },
  );
  const outcome = await answered.promise;
  clearTimeout(timer);
  await client.dispose();
  return outcome;
}

/** Calls the operation as an actor, with the given resources. */
function ask(url: string, person: Actor, one: Invocation, resources: Resources): Promise<Outcome> {
  const actor = person.headers.origin ? { ...person, headers: { ...person.headers, origin: url } } : person;
  const values = one.argumentsFor(resources);
  if (one.surface === 'rest') return overRest(url, actor, one, values);
  return one.surface === 'socket' ? overSocket(url, actor, one, values) : overGraphql(url, actor, one, values);
}

export interface AccessWorld extends People {
  api: TestApi;
  payments: FakePayments;
  snapshot: RowSnapshot;
  close(): Promise<void>;
}

/** Options of every LotWatch that the matrix is run against. */
export const accessOptions = (payments: FakePayments): TestApiOptions => ({
  payments,
  env: { CONFIRM_EMAIL: 'on' },
  resolve: () => Promise.resolve([{ address: '93.184.216.34', family: 4 }]),
});

export async function makeAccessWorld(names: readonly string[]): Promise<AccessWorld> {
  const payments = makeFakePayments();
  const api = await makeTestApi(accessOptions(payments));
  const people = await makePeople(api, payments, names);
  await api.db.pool.query(
    `insert into sources (name, kind, settings, origin) values ('lot', 'vehicle-feed', '{"url": "https://lot.example/feed.csv"}', 'browser')`,
  );
  const snapshot = await takeSnapshot(api.db.pool);
  return { ...people, api, payments, snapshot, close: () => api.close() };
}

/** One actor, one invocation, and whose resources it names. */
interface Cell {
  actor: Actor;
  ask: Invocation;
  relation: Relation;
}

export function cellsOf(schema: GraphQLSchema, actors: readonly Actor[]): Cell[] {
  const invocations = allInvocations(schema);
  return actors.flatMap((actor) =>
    invocations.flatMap((one) => relationsOf(one).map((relation) => ({ actor, ask: one, relation }))),
  );
}

/** The server remembers the ids of ended sessions, so an actor whose session ended gets a cookie with a new id. */
function signNewId({ api, actors }: AccessWorld, sid: string, next: string): void {
  const signature = createHmac('sha256', api.sessionSecret).update(next).digest('base64').replace(/=+$/, '');
  for (const { headers } of actors) {
    const [name = '', value = ''] = headers.cookie?.split('=') ?? [];
    if (decodeURIComponent(value).startsWith(`s:${sid}.`)) {
      headers.cookie = `${name}=${encodeURIComponent(`s:${next}.${signature}`)}`;
    }
  }
}

/** Runs each cell over the same rows. @returns a line for each cell whose answer is not the one that the rules expect */
export async function wrongCells(world: AccessWorld, cells: readonly Cell[], url = world.api.url): Promise<string[]> {
  const { snapshot, foreign, actors, secrets } = world;
  const tags = [foreign.tag, ...actors.map(({ tag }) => tag)];
  const wrong: string[] = [];
  for (const { actor, ask: one, relation } of cells) {
    const facts: Case = { who: actor.role, operation: one.operation, relation, surface: one.surface };
    const { result, text } = await ask(url, actor, one, resourcesOf(relation, actor, foreign));
    const problems: string[] = [];
    const must = expected(facts);
    const isEnded = result === 'UNAUTHENTICATED' && endsOwnSocket(facts);
    if (result !== must && !isEnded) problems.push(`${result} instead of ${must}: ${text.slice(0, 200)}`);
    const shows = mayShowOthers(facts);
    const others = [...tags.filter((tag) => tag !== actor.tag), ...secrets].filter(
      (mark) => !shows && text.includes(mark),
    );
    if (others.length > 0) problems.push(`shows ${others.join(', ')}`);
    if (!shows) problems.push(...(await snapshot.changesOf(foreign)).map((table) => `changes another's ${table}`));
    await snapshot.restore((sid, next) => signNewId(world, sid, next));
    if (problems.length > 0) wrong.push(`${actor.role.name}, ${one.title} (${relation}): ${problems.join('; ')}`);
  }
  return wrong;
}
