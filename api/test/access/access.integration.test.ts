import { afterAll, expect, it } from 'vitest';
import { makeSchema } from '../../src/graphql/make-schema.ts';
import { makeBrowser } from '../browser.ts';
import { insertMatches } from '../factories.ts';
import { type AccessWorld, cellsOf, makeAccessWorld, wrongCells } from './matrix.ts';
import { type Actor, actorNames } from './people.ts';
import { rules } from './rules.ts';

const schema = makeSchema();
const worlds: AccessWorld[] = [];
afterAll(async () => {
  for (const world of worlds) await world.close();
});

async function worldOf(names: readonly string[]): Promise<AccessWorld> {
  const world = await makeAccessWorld(names);
  worlds.push(world);
  return world;
}

it('there is a rule for every operation', () => {
  const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
  const fields = roots.flatMap((type) => Object.keys(type?.getFields() ?? {}));
  expect(Object.keys(rules).sort()).toEqual(fields.sort());
});

/** The sample takes every 19th cell and begins with another one each day. */
const STEP = 19;
const DAY_MS = 86_400_000;

it('a sample of operations answers each caller as the rules say', { timeout: 60_000 }, async () => {
  const world = await worldOf(['visitor', 'free', 'key with read']);
  const first = Math.floor(Date.now() / DAY_MS) % STEP;
  const cells = cellsOf(schema, world.actors).filter((_cell, index) => index % STEP === first);
  expect(cells.length).toBeGreaterThan(40);
  expect(await wrongCells(world, cells)).toEqual([]);
});

it('every operation answers each caller as the rules say, over GraphQL, REST and sockets', {
  timeout: 1_800_000,
  tags: 'long',
}, async () => {
  const world = await worldOf(actorNames);
  const cells = cellsOf(schema, world.actors);
  const wrong = await wrongCells(world, cells);
  console.log(`access matrix: ${cells.length} cells, ${wrong.length} wrong`);
  expect(cells.length).toBeGreaterThan(3_000);
  expect(wrong).toEqual([]);
});

/** The first event of an actor's subscription to matches, after a match of another user and one of their own. */
async function firstEventFor({ api, foreign }: AccessWorld, actor: Actor): Promise<string> {
  const { cookie, authorization } = actor.headers;
  const browser = makeBrowser(api.url, cookie ? api.url : null);
  browser.cookie = cookie;
  const client = browser.socket(authorization ? { authorization } : {});
  const live = client.iterate({ query: 'subscription { matchAdded { match { listing { title } } } }' });
  const next = live.next();
  const subscribed = Promise.withResolvers<void>();
  client.on('connected', () => setTimeout(subscribed.resolve, 300));
  await subscribed.promise;
  const listings = [foreign, actor].map(({ own }) => Number(own.listing));
  for (const { own } of [foreign, actor]) {
    await api.db.pool.query('delete from matches where alert_id = $1', [own.alert]);
  }
  await insertMatches(api.db.pool, Number(foreign.own.alert), listings);
  await insertMatches(api.db.pool, Number(actor.own.alert), listings.slice(1));
  const { value } = await next;
  await client.dispose();
  return JSON.stringify(value);
}

it('a subscription brings only the caller’s own matches, also for a car that others match', {
  timeout: 60_000,
}, async () => {
  const [world = await worldOf(['free', 'key with read'])] = worlds;
  for (const actor of world.actors.filter(({ role }) => !role.isVisitor)) {
    const event = await firstEventFor(world, actor);
    await world.snapshot.restore(() => {});
    expect(event).toContain(actor.tag);
    expect(event).not.toContain(world.foreign.tag);
  }
});
