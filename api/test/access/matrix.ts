import { createHmac } from 'node:crypto';
import type { GraphQLSchema } from 'graphql';
import { makeTestApi, type TestApi, type TestApiOptions } from '../make-app.ts';
import { type FakePayments, makeFakePayments } from '../payments/fake-payments.ts';
import { type Ask, allAsks, relationsOf, thingsOf } from './asks.ts';
import { type KeptRows, keepRows } from './kept-rows.ts';
import { type Actor, makePeople, type People } from './people.ts';
import { type Case, endsOwnSocket, expected, mayShowOthers, type Relation } from './rules.ts';
import { ask } from './surfaces.ts';

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
export interface Cell {
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
  const signature = createHmac('sha256', api.linkSecret).update(next).digest('base64').replace(/=+$/, '');
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
