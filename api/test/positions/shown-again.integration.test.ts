import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stoppedWorker } from '../../lab/intercept-statements.ts';
import { matchPendingListings } from '../../src/matching/match-listings.ts';
import { setUpApi } from '../make-app.ts';
import { LOCAL_WEBHOOKS } from '../webhooks/dealer.ts';
import { makeReadingWorld, type ReadingWorld } from './reading-world.ts';

const api = setUpApi({ env: LOCAL_WEBHOOKS });

interface Outcome {
  /** The listings that each reader by cursor must have received, in order. */
  shown: number[];
  /** Those of the reader with the open subscription, where they are more. */
  open?: number[];
  /** Those of the webhook, where they differ: each pair once at most, and none from a backfill. */
  webhook?: number[];
  /** The listings that the page must show in the end, newest first. */
  page: number[];
}

type Situation = [name: string, act: (world: ReadingWorld) => Promise<Outcome>];

const situations: Situation[] = [
  [
    'an edit while readers are behind, who read before the backfill',
    async ({ list, matchListings, edit, readAroundBackfill, untilSeenLive }) => {
      const [one, two, dear] = [await list(15_000), await list(16_000), await list(19_000)];
      await matchListings();
      await untilSeenLive(dear);
      await edit({ priceMax: 18_000 });
      await readAroundBackfill();
      return { shown: [one.id, two.id], open: [one.id, two.id, dear.id], page: [two.id, one.id] };
    },
  ],
  [
    'an edit after which all known pairs still match',
    async ({ list, matchAndRead, edit, readAroundBackfill, page }) => {
      const one = await list(15_000);
      await matchAndRead();
      await edit({ priceMax: 18_000 });
      expect(await page()).toEqual([one.id]);
      await readAroundBackfill();
      return { shown: [one.id], page: [one.id] };
    },
  ],
  [
    'a pair that is hidden and shown again by edits',
    async ({ list, matchAndRead, edit, readAroundBackfill, page }) => {
      const [one, two] = [await list(15_000), await list(16_000)];
      await matchAndRead();
      await edit({ priceMax: 15_500 });
      expect(await page()).toEqual([one.id]);
      await readAroundBackfill();
      await edit({ priceMax: 20_000 });
      await readAroundBackfill();
      return { shown: [one.id, two.id, two.id], webhook: [one.id, two.id], page: [two.id, one.id] };
    },
  ],
  [
    'a pair that is hidden by an edit before it was read, and shown again',
    async ({ list, matchListings, edit, readAroundBackfill, untilSeenLive }) => {
      const one = await list(15_000);
      await matchListings();
      await untilSeenLive(one);
      await edit({ priceMax: 10_000 });
      await readAroundBackfill();
      await edit({ priceMax: 20_000 });
      await readAroundBackfill();
      return { shown: [one.id], open: [one.id, one.id], page: [one.id] };
    },
  ],
  [
    'a pair that is hidden by one edit and shown again by the next, before the backfill',
    async ({ list, matchAndRead, edit, readAroundBackfill }) => {
      const [one, two] = [await list(15_000), await list(16_000)];
      await matchAndRead();
      await edit({ priceMax: 15_500 });
      await edit({ priceMax: 20_000 });
      await readAroundBackfill();
      return { shown: [one.id, two.id, two.id], webhook: [one.id, two.id], page: [two.id, one.id] };
    },
  ],
  [
    'a pair that is hidden and shown again by its price',
    async ({ list, matchAndRead, matchAtPrices }) => {
      const one = await list(15_000);
      await matchAndRead();
      await matchAtPrices(one, 25_000, 15_000);
      return { shown: [one.id, one.id], webhook: [one.id], page: [one.id] };
    },
  ],
  [
    'a pair that is hidden by its price before it was read, and shown again',
    async ({ list, matchListings, matchAtPrices, untilSeenLive }) => {
      const one = await list(15_000);
      await matchListings();
      await untilSeenLive(one);
      await matchAtPrices(one, 25_000, 15_000);
      return { shown: [one.id], open: [one.id, one.id], page: [one.id] };
    },
  ],
  [
    'a backfill long after an edit',
    async ({ list, matchListings, edit, catchUp, readAroundBackfill }) => {
      const [one, dear] = [await list(15_000), await list(25_000)];
      await matchListings();
      await edit({ priceMax: 30_000 });
      await catchUp();
      await readAroundBackfill();
      return { shown: [one.id, dear.id], webhook: [one.id], page: [dear.id, one.id] };
    },
  ],
  [
    'an edit while an earlier batch of matches has not been committed',
    async ({ list, matchAndRead, edit, readAroundBackfill }) => {
      const one = await list(15_000);
      await matchAndRead();
      await list(15_500, one.externalId);
      const two = await list(16_000);
      const worker = stoppedWorker(api.db.url);
      const matched = matchPendingListings(worker.pool);
      await worker.stopped;
      await edit({ priceMax: 18_000 });
      worker.release();
      await matched;
      await worker.pool.end();
      await readAroundBackfill();
      // The batch has locked the first pair, so the edit leaves it to the backfill, which shows it again.
      return { shown: [one.id, one.id, two.id], webhook: [one.id, two.id], page: [two.id, one.id] };
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
    // Otherwise the cars would match the next dealer's alert.
    await api.db.pool.query("update listings set status = 'gone'");
  });

  it('the page shows the matching cars in order', () => expect(page).toEqual(outcome.page));

  it.each([
    'matchAdded from the last cursor',
    'matchAdded from the liveCursor of the last page',
    'matchLog',
    'GET /api/matches/export',
  ])('%s received every pair once each time it was shown', (name) =>
    expect(world.got.get(name)).toEqual(outcome.shown),
  );

  it('matchAdded that stays open received every pair once each time it was shown', () =>
    expect(world.got.get('matchAdded that stays open')).toEqual(outcome.open ?? outcome.shown));

  it('a webhook received each pair once', () =>
    expect(world.got.get('a webhook')).toEqual(outcome.webhook ?? outcome.shown));
});

it('every reader receives the matches of a late backfill once', async () => {
  const world = await makeReadingWorld(api);
  const { browser } = world.place;
  const [one, two] = [await world.list(15_000), await world.list(16_000)];
  await world.matchAndRead();
  const { data } = await browser.gql(
    'mutation { createAlert(input: { make: "toyota", model: "camry", location: "Pasadena, CA", radius: 25 }) { id } }',
  );
  expect(data.createAlert.id).toBeDefined();
  await world.readAroundBackfill();
  for (const [name, got] of world.got) {
    const again = name === 'a webhook' ? [] : [one.id, two.id];
    expect([name, got]).toEqual([name, [one.id, two.id, ...again]]);
  }
  await world.end();
});
