import { createHmac } from 'node:crypto';
import type { GraphQLSchema } from 'graphql';
import { createClient } from 'graphql-ws';
import { WebSocket } from 'ws';
import { makeTestApi, type TestApi, type TestApiOptions } from '../make-app.ts';
import { type FakePayments, makeFakePayments } from '../payments/fake-payments.ts';
import { statusOfCode } from '../rest/rows.ts';
import { type Ask, allAsks, relationsOf, thingsOf } from './asks.ts';
import { type KeptRows, keepRows } from './kept-rows.ts';
import { type Actor, makePeople, type People, type Things } from './people.ts';
import { type Case, endsOwnSocket, expected, mayShowOthers, type Relation } from './rules.ts';

/** What came of a request. */
interface Outcome {
  /** 'allowed', 'nothing', or the code of the refusal. */
  result: string;
  /** All that was answered. */
  text: string;
}

/** Whoever follows has something to read at once. */
const ANSWER_MS = 20_000;

const isNothing = (value: unknown) => value === null || (Array.isArray(value) && value.length === 0);
/** What no list or null of an answer means a refusal: it is what there is. */
const mayBeNothing = ['alert', 'alerts', 'listing', 'me'];

/** @param value what the operation answered */
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

function graphqlResult({ operation }: Ask, body: GraphqlBody): string {
  const [error] = body.errors ?? [];
  if (error) return error.extensions?.code ?? 'an error without a code';
  return body.code ?? resultOf(operation, body.data?.[operation]);
}

async function overGraphql(url: string, actor: Actor, ask: Ask, variables: object): Promise<Outcome> {
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
  { call, operation }: Ask,
  values: Record<string, unknown>,
): Promise<Outcome> {
  if (!call) throw new Error('This is no call.');
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
  if (call.call.lines && response.ok) return { result: 'allowed', text };
  const answer = JSON.parse(text) as { code?: string; results?: unknown };
  if (response.ok) return { result: resultOf(operation, answer.results ?? answer), text };
  const { code = `status ${response.status}` } = answer;
  return {
    result:
      statusOfCode[code] === response.status || code === 'PASSWORD_NEEDED' ? code : `${code} with ${response.status}`,
    text,
  };
}

/** What a socket's close says; nothing else tells those apart that are not let in. */
function resultOfClose({ code, reason }: { code: number; reason: string }): string {
  if (code === 4401) return 'UNAUTHENTICATED';
  return code === 4403 ? (reason.split(':')[0] ?? 'FORBIDDEN') : `closed with ${code}`;
}

async function overSocket(url: string, actor: Actor, ask: Ask, variables: Record<string, unknown>): Promise<Outcome> {
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
  const told = Promise.withResolvers<Outcome>();
  const answer = (result: string, value: unknown) => told.resolve({ result, text: JSON.stringify(value) ?? '' });
  const patience = setTimeout(() => answer('no answer', ''), ANSWER_MS);
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
  const outcome = await told.promise;
  clearTimeout(patience);
  await client.dispose();
  return outcome;
}

/** Asks as somebody, with somebody's things. */
function ask(url: string, person: Actor, one: Ask, things: Things): Promise<Outcome> {
  const actor = person.headers.origin ? { ...person, headers: { ...person.headers, origin: url } } : person;
  const values = one.argumentsFor(things);
  if (one.surface === 'rest') return overRest(url, actor, one, values);
  return one.surface === 'socket' ? overSocket(url, actor, one, values) : overGraphql(url, actor, one, values);
}

export interface AccessWorld extends People {
  api: TestApi;
  payments: FakePayments;
  kept: KeptRows;
  close(): Promise<void>;
}

/** What all of them are asked in. */
export const accessOptions = (payments: FakePayments): TestApiOptions => ({
  payments,
  env: { CONFIRM_EMAIL: 'on' },
  resolve: () => Promise.resolve([{ address: '93.184.216.34', family: 4 }]),
});

export async function makeAccessWorld(names: readonly string[]): Promise<AccessWorld> {
  const payments = makeFakePayments();
  const api = await makeTestApi(accessOptions(payments));
  const people = await makePeople(api, payments, names);
  const kept = await keepRows(api.db.pool);
  return { ...people, api, payments, kept, close: () => api.close() };
}

/** One actor, one way to ask, somebody's things. */
interface Cell {
  actor: Actor;
  ask: Ask;
  relation: Relation;
}

export function cellsOf(schema: GraphQLSchema, actors: readonly Actor[]): Cell[] {
  const asks = allAsks(schema);
  return actors.flatMap((actor) =>
    asks.flatMap((one) => relationsOf(one).map((relation) => ({ actor, ask: one, relation }))),
  );
}

/** The server remembers sessions that have ended: whoever had one goes on with another. */
function signAnew({ api, actors }: AccessWorld, sid: string, next: string): void {
  const signature = createHmac('sha256', api.sessionSecret).update(next).digest('base64').replace(/=+$/, '');
  for (const { headers } of actors) {
    const [name = '', value = ''] = headers.cookie?.split('=') ?? [];
    if (decodeURIComponent(value).startsWith(`s:${sid}.`)) {
      headers.cookie = `${name}=${encodeURIComponent(`s:${next}.${signature}`)}`;
    }
  }
}

/** Asks each cell with all rows as they were, and says what is not as the rules say. */
export async function wrongCells(world: AccessWorld, cells: readonly Cell[], url = world.api.url): Promise<string[]> {
  const { kept, foreign, actors, secrets } = world;
  const tags = [foreign.tag, ...actors.map(({ tag }) => tag)];
  const wrong: string[] = [];
  for (const { actor, ask: one, relation } of cells) {
    const facts: Case = { who: actor.standing, operation: one.operation, relation, surface: one.surface };
    const { result, text } = await ask(url, actor, one, thingsOf(relation, actor, foreign));
    const faults: string[] = [];
    const must = expected(facts);
    const isEnded = result === 'UNAUTHENTICATED' && endsOwnSocket(facts);
    if (result !== must && !isEnded) faults.push(`${result} instead of ${must}: ${text.slice(0, 200)}`);
    const shows = mayShowOthers(facts);
    const others = [...tags.filter((tag) => tag !== actor.tag), ...secrets].filter(
      (mark) => !shows && text.includes(mark),
    );
    if (others.length > 0) faults.push(`shows ${others.join(', ')}`);
    if (!shows) faults.push(...(await kept.changesOf(foreign)).map((table) => `changes another's ${table}`));
    await kept.restore((sid, next) => signAnew(world, sid, next));
    if (faults.length > 0) wrong.push(`${actor.standing.name}, ${one.title} (${relation}): ${faults.join('; ')}`);
  }
  return wrong;
}
