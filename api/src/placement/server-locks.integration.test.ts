import { afterEach, describe, expect, it } from 'vitest';
import { onServer } from '../../lab/cluster-database.ts';
import { onCluster, setUpDatabase } from '../../test/database.ts';
import { setUpDoubt, workersOf } from '../../test/in-doubt.ts';
import { changeListings, unmarkListings } from '../../test/matching/listing-marks.ts';
import { camry, camryAlert, insertAlerts, insertListings, insertUsers } from '../../test/matching/match-rows.ts';
import { locks } from '../base/advisory-lock.ts';
import { matchPendingAlerts } from '../matching/match-alerts.ts';
import { matchPendingListings } from '../matching/match-listings.ts';

let userId: number;
const db = setUpDatabase(async () => {
  [userId = 0] = await insertUsers(db.pool);
});
afterEach(() =>
  db.pool.query('truncate alerts, alert_cells, listings, listings_to_match, matches, notifications restart identity'),
);

const { leaveInDoubt, commit } = setUpDoubt(db);

const waiting = async () => ({
  alerts: (await db.row('select count(*)::int4 as count from alerts where pending_match'))?.count,
  listings: (await db.row('select count(*)::int4 as count from listings_to_match'))?.count,
});

/** An alert, and a listing that fits it and was searched for before. */
async function insertPair(): Promise<number> {
  await insertAlerts(db.pool, userId, [{ ...camryAlert, onlyWithImages: false }]);
  const [id = 0] = await insertListings(db.pool, [camry]);
  await unmarkListings(db.pool);
  return id;
}

describe.runIf(onCluster)('what a server has not committed yet', () => {
  it('keeps an alert waiting for its backfill where it is a search, and other searches go on', async () => {
    await insertPair();
    await db.pool.query('update alerts set pending_match = true');
    await leaveInDoubt(`pg_advisory_xact_lock_shared(${locks.search})`);
    const backfill = matchPendingAlerts(db.pool);
    await insertListings(db.pool, [camry]);
    expect(await matchPendingListings(db.pool)).toBe(1);
    expect(await backfill).toBe(0);
    expect(await waiting()).toEqual({ alerts: 1, listings: 0 });
    await commit();
    expect(await matchPendingAlerts(db.pool)).toBe(1);
    expect(await waiting()).toEqual({ alerts: 0, listings: 0 });
  });

  it('keeps the mark of a changed listing where it is a backfill, and new ones are searched for', async () => {
    await insertPair();
    await changeListings(db.pool, 'price = 9000');
    await leaveInDoubt(`pg_advisory_xact_lock(${locks.backfill})`);
    expect(await matchPendingListings(db.pool)).toBe(0);
    await insertListings(db.pool, [camry]);
    expect(await matchPendingListings(db.pool)).toBe(1);
    expect(await waiting()).toEqual({ alerts: 0, listings: 1 });
    await commit();
    expect(await matchPendingListings(db.pool)).toBe(1);
    expect(await waiting()).toEqual({ alerts: 0, listings: 0 });
  });

  it('keeps the mark of a listing where it is the search of another one of its car, linked before or after it', async () => {
    const first = await insertPair();
    const [second = 0] = await insertListings(db.pool, [camry]);
    await leaveInDoubt(`pg_advisory_xact_lock(${locks.car}, hashint8(${first}))`);
    await db.pool.query('update listings set car_id = $1 where id = any($2)', [second, [first, second]]);
    expect(await matchPendingListings(db.pool)).toBe(0);
    await insertListings(db.pool, [camry]);
    expect(await matchPendingListings(db.pool)).toBe(1);
    await commit();
    expect(await matchPendingListings(db.pool)).toBe(1);
  });

  it('keeps the mark of a listing where a server does not know its car yet', async () => {
    const [id = 0] = await insertListings(db.pool, [camry]);
    await db.pool.query('update listings set car_id = id where id = $1', [id]);
    const { shard } = await db.row(
      "select 'listings_' || shardid as shard from pg_dist_shard where logicalrelid = 'listings'::regclass",
    );
    const [server = ''] = workersOf(db);
    const setThere = (car: string) =>
      onServer(server, async (query) => {
        await query('set citus.enable_manual_changes_to_shards = on');
        await query(`update ${shard} set car_id = ${car}`);
      });
    await setThere('null');
    expect(await matchPendingListings(db.pool)).toBe(0);
    await setThere('id');
    expect(await matchPendingListings(db.pool)).toBe(1);
  });
});
