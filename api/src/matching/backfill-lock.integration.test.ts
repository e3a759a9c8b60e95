import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it } from 'vitest';
import { stoppedWorker } from '../../lab/intercept-statements.ts';
import { onCluster, setUpDatabase } from '../../test/database.ts';
import { changeListings, unmarkListings } from '../../test/matching/listing-marks.ts';
import { camry, camryAlert, insertAlerts, insertListings, insertUsers } from '../../test/matching/match-rows.ts';
import { lockSearch } from '../base/advisory-lock.ts';
import { inTransaction } from '../base/database.ts';
import { matchPendingAlerts } from './match-alerts.ts';
import { matchPendingListings } from './match-listings.ts';
import { keepBackfillsOut } from './match-transaction.ts';

let userId: number;
const db = setUpDatabase(async () => {
  [userId = 0] = await insertUsers(db.pool);
});
afterEach(() => db.pool.query('truncate alerts, alert_cells, listings, listings_to_match, matches, notifications'));

const pendAlerts = async (count: number) => {
  await insertAlerts(
    db.pool,
    userId,
    Array.from({ length: count }, () => camryAlert),
  );
  await db.pool.query('update alerts set pending_match = true');
};
const waiting = async (): Promise<number> =>
  (await db.pool.query('select 1 from alerts where pending_match')).rowCount ?? 0;

it('a transaction of a worker that is stopped during a backfill is ended by the server, and matching continues', async () => {
  await pendAlerts(1);
  await insertListings(db.pool, [camry]);
  await unmarkListings(db.pool);
  const worker = stoppedWorker(db.url);
  const stopped = matchPendingAlerts(worker.pool, 16, { idleMs: 300 }).then(
    () => 'committed',
    () => 'ended',
  );
  await worker.stopped;
  await changeListings(db.pool, 'price = price - 1');
  const from = performance.now();
  // A server of a cluster ends its part a moment later, and until then the search leaves the listing marked.
  if (onCluster) await expect.poll(() => matchPendingListings(db.pool)).toBe(1);
  else expect(await matchPendingListings(db.pool)).toBe(1);
  expect(performance.now() - from).toBeLessThan(15_000);
  expect(await waiting()).toBe(1);
  expect(await matchPendingAlerts(db.pool)).toBe(1);
  worker.release();
  expect(await stopped).toBe('ended');
  await worker.pool.end();
  expect((await db.pool.query('select listing_id from matches')).rowCount).toBe(1);
});

it('a backfill without waiting alerts takes no lock', async () => {
  await inTransaction(db.pool, async (client) => {
    await lockSearch(client);
    expect(await matchPendingAlerts(db.pool)).toBe(0);
  });
});

it('a long batch commits after its current alert, so that listings are matched in between', async () => {
  await pendAlerts(3);
  expect(await matchPendingAlerts(db.pool, 16, { maxMs: 0 })).toBe(1);
  expect(await waiting()).toBe(2);
  expect(await matchPendingAlerts(db.pool)).toBe(2);
  expect(await waiting()).toBe(0);
});

it('a batch has its time after the searches that it waits for', async () => {
  await pendAlerts(3);
  let backfilled: Promise<number> | undefined;
  await inTransaction(db.pool, async (client) => {
    await lockSearch(client);
    backfilled = matchPendingAlerts(db.pool, 16, { maxMs: 1_000 });
    await expect.poll(() => db.lockWaits()).toBe(1);
    await sleep(1_100);
  });
  expect(await backfilled).toBe(3);
});

it('a backfill waits for the search of a changed listing that runs', async () => {
  await pendAlerts(1);
  let backfilled: Promise<number> | undefined;
  await inTransaction(db.pool, async (client) => {
    expect(await keepBackfillsOut(client, false)).toBe(true);
    backfilled = matchPendingAlerts(db.pool);
    await expect.poll(() => db.lockWaits()).toBe(1);
  });
  expect(await backfilled).toBe(1);
});

it('workers that wake during another’s backfill don’t wait for it, and the other handles all alerts', async () => {
  await pendAlerts(3);
  const worker = stoppedWorker(db.url);
  const first = matchPendingAlerts(worker.pool, 2, { maxMs: 60_000 });
  await worker.stopped;
  const others = Array.from({ length: 3 }, () => matchPendingAlerts(db.pool, 2));
  expect(await Promise.all(others)).toEqual([0, 0, 0]);
  worker.release();
  expect(await first).toBe(2);
  expect(await matchPendingAlerts(worker.pool, 2)).toBe(1);
  expect(await waiting()).toBe(0);
  await worker.pool.end();
});
