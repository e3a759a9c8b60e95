import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { interceptPool, stoppedWorker } from '../../lab/intercept-statements.ts';
import { setUpDatabase } from '../../test/database.ts';
import { changeListings, unmarkListings } from '../../test/matching/listing-marks.ts';
import {
  insertAlerts,
  insertListings,
  insertUsers,
  type TestAlert,
  type TestListing,
} from '../../test/matching/match-rows.ts';
import { makePool, type Pool } from '../base/database.ts';
import { followChosenLayout } from '../placement/follow-layout.ts';
import { matchPendingAlerts } from './match-alerts.ts';
import { matchPendingListings } from './match-listings.ts';

const asked: TestAlert = {
  make: 'toyota',
  model: null,
  yearMin: null,
  yearMax: null,
  priceMin: null,
  priceMax: 20_000,
  color: null,
  onlyWithImages: false,
  lat: 34,
  lng: -118,
  radius: 50,
};
const car: TestListing = {
  make: 'toyota',
  model: 'camry',
  year: 2018,
  price: 10_000,
  color: null,
  imageUrl: null,
  lat: 34,
  lng: -118,
};

let userId: number;

const db = setUpDatabase(async () => {
  [userId = 0] = await insertUsers(db.pool);
});
afterEach(async () => {
  await db.pool.query('truncate alerts, alert_cells, listings, listings_to_match, matches, notifications');
});

async function whileStopped(
  first: (pool: Pool) => Promise<number>,
  meanwhile: () => Promise<unknown>,
  second: (pool: Pool) => Promise<number>,
): Promise<void> {
  const worker = stoppedWorker(db.url);
  const firstDone = first(worker.pool);
  await worker.stopped;
  await meanwhile();
  const secondDone = second(db.pool);
  await sleep(150);
  worker.release();
  expect(await firstDone).toBe(1);
  await secondDone;
  await worker.pool.end();
}

/** An alert that waits for its backfill, and a listing that fits it and was searched for before. */
async function pendBackfill(): Promise<void> {
  await insertAlerts(db.pool, userId, [asked]);
  await insertListings(db.pool, [car]);
  await unmarkListings(db.pool);
  await db.pool.query('update alerts set pending_match = true');
}

/** The backfill of such an alert, stopped before its commit. */
async function stoppedBackfill() {
  await pendBackfill();
  const worker = stoppedWorker(db.url);
  const backfilled = matchPendingAlerts(worker.pool);
  await worker.stopped;
  return { worker, backfilled };
}

const shown = () =>
  db.rows(
    `select m.announced from matches m join alerts a on a.id = m.alert_id and a.user_id = m.user_id and a.version = m.alert_version
      order by m.listing_id`,
  );

it('finds the pair of an alert that is created during the search of its listing', async () => {
  await insertListings(db.pool, [car]);
  await whileStopped(
    matchPendingListings,
    async () => {
      await insertAlerts(db.pool, userId, [asked]);
      await db.pool.query('update alerts set pending_match = true');
    },
    matchPendingAlerts,
  );
  expect(await shown()).toEqual([{ announced: false }]);
});

it('finds and announces the pair of a listing that is stored during the search of its alert', async () => {
  await insertAlerts(db.pool, userId, [asked]);
  await db.pool.query('update alerts set pending_match = true');
  await whileStopped(matchPendingAlerts, () => insertListings(db.pool, [car]), matchPendingListings);
  expect(await shown()).toEqual([{ announced: true }]);
});

it('hides the pair of a listing that leaves the range during the search of its alert', async () => {
  await pendBackfill();
  await whileStopped(matchPendingAlerts, () => changeListings(db.pool, 'price = 30000'), matchPendingListings);
  expect(await shown()).toEqual([]);
});

it('hides the pair of an alert that is narrowed during the search of its listing', async () => {
  await insertAlerts(db.pool, userId, [asked]);
  await insertListings(db.pool, [car]);
  await whileStopped(
    matchPendingListings,
    () => db.pool.query('update alerts set price_max = 5000, version = 2, pending_match = true'),
    matchPendingAlerts,
  );
  expect(await shown()).toEqual([]);
});

it('announces a new listing while a backfill has not ended, which leaves it alone', async () => {
  const { worker, backfilled } = await stoppedBackfill();
  await insertListings(db.pool, [car]);
  expect(await matchPendingListings(db.pool)).toBe(1);
  expect(await shown()).toEqual([{ announced: true }]);
  worker.release();
  expect(await backfilled).toBe(1);
  expect(await shown()).toEqual([{ announced: false }, { announced: true }]);
  await worker.pool.end();
});

it('leaves the pair of a search that ends between the claim of an alert and its backfill as it is', async () => {
  await pendBackfill();
  const worker = makePool(db.url, 1);
  followChosenLayout(worker);
  let meanwhile = 0;
  interceptPool(worker, async (_client, statement, send) => {
    if (statement.name === 'match-alerts-fresh') {
      await insertListings(db.pool, [car]);
      meanwhile += await matchPendingListings(db.pool);
    }
    return send(statement);
  });
  expect(await matchPendingAlerts(worker)).toBe(1);
  expect(meanwhile).toBe(1);
  expect(await shown()).toEqual([{ announced: false }, { announced: true }]);
  await worker.end();
});

it('matches a new listing beside a changed one that waits for a backfill, also in one batch', async () => {
  const { worker, backfilled } = await stoppedBackfill();
  await changeListings(db.pool, 'price = 9000');
  await insertListings(db.pool, [car]);
  expect(await matchPendingListings(db.pool)).toBe(1);
  expect(await shown()).toEqual([{ announced: true }]);
  worker.release();
  expect(await backfilled).toBe(1);
  expect(await matchPendingListings(db.pool)).toBe(1);
  expect(await shown()).toEqual([{ announced: true }, { announced: true }]);
  await worker.pool.end();
});

it('matches new listings while the search of a changed one waits for a backfill', async () => {
  const { worker, backfilled } = await stoppedBackfill();
  await changeListings(db.pool, 'price = 9000');
  const changed = matchPendingListings(db.pool);
  await expect.poll(() => db.lockWaits()).toBe(1);
  await insertListings(db.pool, [car]);
  expect(await matchPendingListings(db.pool)).toBe(1);
  worker.release();
  expect(await Promise.all([backfilled, changed])).toEqual([1, 1]);
  expect(await shown()).toEqual([{ announced: true }, { announced: true }]);
  await worker.pool.end();
});

it('announces one of two listings of a car when two workers search for them concurrently', async () => {
  await insertAlerts(db.pool, userId, [asked]);
  await insertListings(db.pool, [car, car]);
  await db.pool.query('update listings set car_id = 1');
  await whileStopped(
    (pool) => matchPendingListings(pool, 1),
    async () => {},
    (pool) => matchPendingListings(pool, 1),
  );
  expect(await shown()).toEqual([{ announced: true }, { announced: false }]);
});

it('leaves a listing that is being changed to the next search, which sees the change', async () => {
  await insertAlerts(db.pool, userId, [asked]);
  await insertListings(db.pool, [{ ...car, price: 30_000 }]);
  const client = await db.pool.connect();
  await client.query('begin');
  await client.query('update listings set price = 10000');
  expect(await matchPendingListings(db.pool)).toBe(0);
  await client.query('commit');
  client.release();
  expect(await matchPendingListings(db.pool)).toBe(1);
  expect(await shown()).toEqual([{ announced: true }]);
});
