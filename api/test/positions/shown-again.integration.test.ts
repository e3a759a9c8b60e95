import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stoppedWorker } from '../../lab/intercept-statements.ts';
import { matchPendingListings } from '../../src/matching/match-listings.ts';
import { makeTestApi, type TestApi } from '../make-app.ts';
import { TRYING } from '../webhooks/dealer.ts';
import { makeReadingWorld, type ReadingWorld } from './reading-world.ts';

let api: TestApi;
beforeAll(async () => {
  api = await makeTestApi({ env: TRYING });
});
afterAll(() => api.close());

interface Outcome {
  /** What each reader by cursor must have got, in this order. */
  shown: number[];
  /** What the one got that is never behind, where that is more. */
  open?: number[];
  /** What the webhook must have been told: each pair once ever, and never what an alert found by looking back. */
  told?: number[];
  /** What the page must show in the end, newest first. */
  page: number[];
}

type Situation = [name: string, act: (world: ReadingWorld) => Promise<Outcome>];

const situations: Situation[] = [
  [
    'an edit while readers are behind, who read before the look-back',
    async ({ list, matchListings, edit, readOn, lookBack, heardLive }) => {
      const [one, two, dear] = [await list(15_000), await list(16_000), await list(19_000)];
      await matchListings();
      await heardLive(dear);
      await edit({ priceMax: 18_000 });
      await readOn();
      await lookBack();
      await readOn();
      return { shown: [one.id, two.id], open: [one.id, two.id, dear.id], page: [two.id, one.id] };
    },
  ],
  [
    'an edit that all known pairs still fit',
    async ({ list, matchListings, edit, readOn, lookBack, page }) => {
      const one = await list(15_000);
      await matchListings();
      await readOn();
      await edit({ priceMax: 18_000 });
      expect(await page()).toEqual([one.id]);
      await readOn();
      await lookBack();
      await readOn();
      return { shown: [one.id], page: [one.id] };
    },
  ],
  [
    'a pair that is hidden and shown again by edits',
    async ({ list, matchListings, edit, readOn, lookBack, page }) => {
      const [one, two] = [await list(15_000), await list(16_000)];
      await matchListings();
      await readOn();
      await edit({ priceMax: 15_500 });
      expect(await page()).toEqual([one.id]);
      await readOn();
      await lookBack();
      await readOn();
      await edit({ priceMax: 20_000 });
      await readOn();
      await lookBack();
      await readOn();
      return { shown: [one.id, two.id, two.id], told: [one.id, two.id], page: [two.id, one.id] };
    },
  ],
  [
    'a pair that is hidden by an edit before it was read, and shown again',
    async ({ list, matchListings, edit, readOn, lookBack, heardLive }) => {
      const one = await list(15_000);
      await matchListings();
      await heardLive(one);
      await edit({ priceMax: 10_000 });
      await readOn();
      await lookBack();
      await readOn();
      await edit({ priceMax: 20_000 });
      await readOn();
      await lookBack();
      await readOn();
      return { shown: [one.id], open: [one.id, one.id], page: [one.id] };
    },
  ],
  [
    'a pair that is hidden by one edit and shown again by the next, before the worker looks back',
    async ({ list, matchListings, edit, readOn, lookBack }) => {
      const [one, two] = [await list(15_000), await list(16_000)];
      await matchListings();
      await readOn();
      await edit({ priceMax: 15_500 });
      await edit({ priceMax: 20_000 });
      await readOn();
      await lookBack();
      await readOn();
      return { shown: [one.id, two.id, two.id], told: [one.id, two.id], page: [two.id, one.id] };
    },
  ],
  [
    'a pair that is hidden and shown again by its price',
    async ({ list, matchListings, readOn }) => {
      const one = await list(15_000);
      await matchListings();
      await readOn();
      await list(25_000, one.externalId);
      await matchListings();
      await readOn();
      await list(15_000, one.externalId);
      await matchListings();
      await readOn();
      return { shown: [one.id, one.id], told: [one.id], page: [one.id] };
    },
  ],
  [
    'a pair that is hidden by its price before it was read, and shown again',
    async ({ list, matchListings, readOn, heardLive }) => {
      const one = await list(15_000);
      await matchListings();
      await heardLive(one);
      await list(25_000, one.externalId);
      await matchListings();
      await readOn();
      await list(15_000, one.externalId);
      await matchListings();
      await readOn();
      return { shown: [one.id], open: [one.id, one.id], page: [one.id] };
    },
  ],
  [
    'a worker that looks back long after an edit',
    async ({ list, matchListings, edit, readOn, lookBack }) => {
      const [one, dear] = [await list(15_000), await list(25_000)];
      await matchListings();
      await edit({ priceMax: 30_000 });
      await readOn();
      await readOn();
      await lookBack();
      await readOn();
      return { shown: [one.id, dear.id], told: [one.id], page: [dear.id, one.id] };
    },
  ],
  [
    'an edit while a batch of listings that was searched for before it has not committed',
    async ({ list, matchListings, edit, readOn, lookBack }) => {
      const one = await list(15_000);
      await matchListings();
      await readOn();
      await list(15_500, one.externalId);
      const two = await list(16_000);
      const worker = stoppedWorker(api.db.url);
      const matched = matchPendingListings(worker.pool);
      await worker.stopped;
      await edit({ priceMax: 18_000 });
      worker.release();
      await matched;
      await worker.pool.end();
      await readOn();
      await lookBack();
      await readOn();
      // The batch holds the first, so that the edit leaves it to the look-back, which shows it again.
      return { shown: [one.id, one.id, two.id], told: [one.id, two.id], page: [two.id, one.id] };
    },
  ],
];

describe.each(situations)('after %s', (_name, act) => {
  let world: ReadingWorld;
  let outcome: Outcome;
  let page: number[];
  beforeAll(async () => {
    world = await makeReadingWorld(api);
    outcome = await act(world);
    page = await world.page();
  });
  afterAll(async () => {
    await world.end();
    // What is left would fit the next dealer's alert.
    await api.db.pool.query("update listings set status = 'gone'");
  });

  it('the page shows what fits, in order', () => expect(page).toEqual(outcome.page));

  it.each([
    'matchAdded from the last cursor',
    'matchAdded from the liveCursor of the last page',
    'matchLog',
    'GET /api/matches/export',
  ])('%s got every pair once each time it was shown', (name) => expect(world.got.get(name)).toEqual(outcome.shown));

  it('matchAdded that stays open got every pair once each time it was shown', () =>
    expect(world.got.get('matchAdded that stays open')).toEqual(outcome.open ?? outcome.shown));

  it('a webhook was told of each pair once', () =>
    expect(world.got.get('a webhook')).toEqual(outcome.told ?? outcome.shown));
});

it('an alert whose look-back comes late is read by all, once', async () => {
  const world = await makeReadingWorld(api);
  const { browser } = world.place;
  const [one, two] = [await world.list(15_000), await world.list(16_000)];
  await world.matchListings();
  await world.readOn();
  const { data } = await browser.gql(
    'mutation { createAlert(input: { make: "toyota", model: "camry", location: "Pasadena, CA", radius: 25 }) { id } }',
  );
  expect(data.createAlert.id).toBeDefined();
  await world.readOn();
  await world.lookBack();
  await world.readOn();
  for (const [name, got] of world.got) {
    const again = name === 'a webhook' ? [] : [one.id, two.id];
    expect([name, got]).toEqual([name, [one.id, two.id, ...again]]);
  }
  await world.end();
});
