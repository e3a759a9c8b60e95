import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { onServer } from '../../lab/cluster-database.ts';
import { onCluster, setUpDatabase } from '../../test/database.ts';
import { setUpDoubt, workersOf } from '../../test/in-doubt.ts';
import { camry, camryAlert, insertAlerts, insertListings, insertUsers } from '../../test/matching/match-rows.ts';
import { pauseBeyondPlan } from '../alerts/apply-plan-limits.ts';
import { dismissCar, restoreCar } from '../alerts/dismiss-car.ts';
import { lockPlanUsage } from '../alerts/plan-usage.ts';
import { locks } from '../base/advisory-lock.ts';
import { type Client, inTransaction } from '../base/database.ts';
import { databaseFault } from '../base/database-fault.ts';
import { ConcurrentWrite } from '../base/retried-transaction.ts';
import { DISMISSED } from '../entities/notification-rules.ts';
import { notePhotoElsewhere } from '../intake/distant-photos.ts';
import { storePhotoHash } from '../intake/photo-candidates.ts';
import { retireAbsent } from '../intake/retire-listings.ts';
import { matchPendingListings } from '../matching/match-listings.ts';
import { erasePerson } from '../rights/erase-person.ts';
import { lockToWrite } from './listing-marks.ts';

let userId: number;
let alertId: number;
const db = setUpDatabase();
beforeEach(async () => {
  [userId = 0] = await insertUsers(db.pool);
  [alertId = 0] = await insertAlerts(db.pool, userId, [{ ...camryAlert, onlyWithImages: false }]);
});
afterEach(() =>
  db.pool.query(
    'truncate users, alerts, alert_cells, listings, listings_to_match, matches, notifications restart identity cascade',
  ),
);
const { leaveInDoubt, commit } = setUpDoubt(db);

const em = () => db.orm.em.fork();
const inOne = <T>(work: (client: Client) => Promise<T>) => inTransaction(db.pool, work);
/** Runs what fails for now as its answer would be too early. */
async function expectToWait(work: () => Promise<unknown>): Promise<void> {
  const error = await work().then(
    () => 'done',
    (failure: unknown) => databaseFault(failure)?.code ?? failure,
  );
  expect(error).toBe('UNAVAILABLE');
}
/** How many locks of this kind the sessions of all servers hold. */
async function held(lock: number): Promise<number> {
  const { rows } = await db.pool.query<{ result: string }>('select result from run_command_on_all_nodes($1)', [
    `select count(*) from pg_locks where locktype = 'advisory' and classid = ${lock} and granted
        and database = (select oid from pg_database where datname = current_database())`,
  ]);
  return rows.reduce((sum, { result }) => sum + Number(result), 0);
}

describe.runIf(onCluster)('until the server of a user has committed', () => {
  it('the search for a listing of a car, the car is neither dismissed nor restored', async () => {
    const [first = 0, second = 0] = await insertListings(db.pool, [camry, camry]);
    await db.pool.query('update listings set car_id = $1', [first]);
    while ((await matchPendingListings(db.pool)) > 0);
    const car = { alertId, userId, listingId: first };
    const versions = () => db.rows('select distinct alert_version as version from matches order by 1');
    const shown = await versions();
    for (const [change, after] of [
      [dismissCar, [{ version: DISMISSED }]],
      [restoreCar, shown],
    ] as const) {
      const before = await versions();
      await leaveInDoubt(`pg_advisory_xact_lock(${locks.car}, hashint8(${second}))`);
      await expectToWait(() => change(em(), car));
      expect(await versions()).toEqual(before);
      await commit();
      await change(em(), car);
      expect(await versions()).toEqual(after);
    }
  });

  it('the creation of an alert, nobody counts the alerts', async () => {
    await em().transactional(async (tx) => {
      expect(await lockPlanUsage(tx, userId)).toMatchObject({ used: 1 });
      // The lock is held by the transaction in which the alert is written, and so where that is only prepared.
      expect(await held(locks.planUse)).toBe(1);
    });
    await leaveInDoubt(`pg_advisory_xact_lock(${locks.planUse}, hashint8(${userId}))`);
    await expectToWait(() => em().transactional((tx) => lockPlanUsage(tx, userId)));
    await expectToWait(() => inOne((client) => pauseBeyondPlan(client, userId, 1)));
    await commit();
    await em().transactional((tx) => lockPlanUsage(tx, userId));
    expect(await inOne((client) => pauseBeyondPlan(client, userId, 1))).toBe(0);
  });

  it('a search, the account is not erased', async () => {
    const person = { id: userId, username: 'user1', email: null };
    await leaveInDoubt(`pg_advisory_xact_lock_shared(${locks.search})`);
    await expectToWait(() => inOne((client) => erasePerson(client, person, [])));
    await commit();
    await inOne((client) => erasePerson(client, person, []));
    expect(await db.rows('select id from alerts')).toEqual([]);
  });
});

describe.runIf(onCluster)('a listing, of which every server has a copy', () => {
  const missed = async () => (await db.rows('select missed_reads as missed from listings')).map(({ missed: n }) => n);
  let id: number;
  beforeEach(async () => {
    [id = 0] = await insertListings(db.pool, [camry]);
    await db.pool.query("update listings set source = 'lot', external_id = 'a'");
  });

  it.each([
    ['that a read shows again', () => retireAbsent(db.pool, 'lot', new Set(['a']))],
    ['whose photo was read', () => storePhotoHash(db.pool, id, new Uint8Array([1]))],
  ])('%s is written after whoever has locked it, and ends nobody in a deadlock', async (_which, write) => {
    await db.pool.query('update listings set missed_reads = 1');
    const { writing } = await inOne(async (client) => {
      await lockToWrite(client, [id]);
      const started = write();
      await expect.poll(() => db.lockWaits()).toBeGreaterThan(0);
      await client.query('update listings set price = 1 where id = $1', [id]);
      return { writing: started };
    });
    await writing;
    expect(await db.rows('select price from listings')).toEqual([{ price: 1 }]);
  });

  const loseCopy = async () => {
    const [worker = ''] = workersOf(db);
    const { shard } = await db.row(
      "select 'listings_' || shardid as shard from pg_dist_shard where logicalrelid = 'listings'::regclass",
    );
    await onServer(worker, async (query) => {
      await query('set citus.enable_manual_changes_to_shards = on');
      await query(`delete from ${shard}`);
    });
  };

  it('that a server has not got yet is not counted as missed, as its copy would stay another one', async () => {
    await loseCopy();
    expect(await retireAbsent(db.pool, 'lot', new Set())).toEqual({ missed: 0, gone: 0 });
    expect(await missed()).toEqual([0]);
  });

  it('that a server has not got yet keeps no hash of its photo, which is read again', async () => {
    await loseCopy();
    await storePhotoHash(db.pool, id, new Uint8Array([1]));
    expect(await db.rows('select photo_hash as hash from listings')).toEqual([{ hash: null }]);
  });

  it('that a server has not got yet gets no note of its photo elsewhere', async () => {
    const [other = 0] = await insertListings(db.pool, [camry]);
    await loseCopy();
    await expect(inOne((client) => notePhotoElsewhere(client, id, other))).rejects.toThrow(ConcurrentWrite);
  });
});
