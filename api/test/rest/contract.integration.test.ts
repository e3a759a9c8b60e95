import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accounts, admin } from './accounts.ts';
import { alerts } from './alerts.ts';
import { keys } from './keys.ts';
import { listings } from './listings.ts';
import { plans } from './plans.ts';
import { refusals, transport } from './refusals.ts';
import { nameOf, rows } from './rows.ts';
import { makeWorld, plain, type World } from './world.ts';

/** Tests the REST API from outside, by its description and through the proxy Prism. */
let world: World;
beforeAll(async () => {
  world = await makeWorld();
}, 150_000);
afterAll(() => world?.close());
const getWorld = () => world;

it('describes every call of the specification exactly once', () => {
  const described = world.description.operations.map(({ name }) => plain(name));
  expect(described).toEqual(expect.arrayContaining(rows.map((row) => plain(nameOf(row)))));
  expect(new Set(described).size).toBe(described.length);
});

describe('refusals', () => refusals(getWorld));
accounts(getWorld);
alerts(getWorld);
listings(getWorld);
plans(getWorld);
admin(getWorld);
keys(getWorld);
transport(getWorld);

/** Runs last, after the other tests have collected the statuses. */
it('has answered with every described status', () => {
  const unseen = rows.flatMap((row) => {
    const call = plain(nameOf(row));
    const operation = world.description.operations.find(({ name }) => plain(name) === call);
    const seen = world.seen.get(call) ?? new Set();
    return (operation?.statuses ?? [])
      .filter((status) => status < 500 && !seen.has(status))
      .map((status) => `${nameOf(row)} never answered ${status}`);
  });
  expect(unseen).toEqual([]);
});
