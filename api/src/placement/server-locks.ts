import { locks } from '../base/advisory-lock.ts';
import { type Client, pipeline, type Queryable } from '../base/database.ts';
import { isDistributed } from './layout.ts';
import { prepareChanges, queryShards } from './shards.ts';

/*
 * Advisory locks on the servers of rows. The coordinator commits a transaction, lets each server commit it, and then releases its
 * locks. Where it loses a server before that has answered, it releases them as well, though the server may have only prepared the
 * transaction, and does not show what it has written until that is decided (`decide-doubts.ts`). A prepared transaction keeps its
 * locks. So whatever has to see what another transaction has written rests on a lock on the server, too. As that may be held for
 * a while, nobody waits for it for long: who can't have it leaves its work for later.
 */

/** How long anybody waits on a server for what is over. */
const WAIT_MS = 1_000;

/**
 * SQL: functions that take locks on the server where they run. Searches come all the time, and wait behind who waits for them; so
 * a backfill does that only when no search is in doubt.
 */
export const lockFunctions = `
  create or replace function wait_for_searches_here() returns void language plpgsql as $$
  declare
    latest timestamptz := clock_timestamp() + interval '${WAIT_MS} ms';
  begin
    while exists (
      select from pg_locks l join pg_database d on d.oid = l.database
       where l.locktype = 'advisory' and l.objid = ${locks.search} and l.objsubid = 1 and l.pid is null and d.datname = current_database())
    loop
      if clock_timestamp() > latest then
        raise exception 'a search has not been committed here yet' using errcode = 'lock_not_available';
      end if;
      perform pg_sleep(0.01);
    end loop;
    perform set_config('lock_timeout', '${WAIT_MS}', true);
    -- A lock that is taken in a block is released with it.
    begin
      perform pg_advisory_xact_lock(${locks.search});
      raise exception using errcode = 'LW001';
    exception when sqlstate 'LW001' then
      perform set_config('lock_timeout', '0', true);
    end;
  end $$;

  create or replace function begin_backfill_here() returns bool language plpgsql as $$
  begin
    if not pg_try_advisory_xact_lock(${locks.backfill}) then
      raise exception 'the search of a changed listing has not been committed here yet' using errcode = 'lock_not_available';
    end if;
    return true;
  end $$;

  create or replace function lock_here(kind int4, ids int8[]) returns bool language plpgsql as $$
  begin
    perform set_config('lock_timeout', '${WAIT_MS}', true);
    perform pg_advisory_xact_lock(kind, key)
       from (select distinct hashint8(id) as key from unnest(ids) id order by key) keys;
    perform set_config('lock_timeout', '0', true);
    return true;
  end $$;`;

/**
 * Makes searches of changed listings leave them for later until the backfill of alerts of these users is committed on their
 * servers. Whoever calls it keeps such searches out at the coordinator, so that only one that is over there can have this lock.
 * @throws an error for which `isLockNotAvailable`
 */
export async function beginBackfillOnServers(client: Client, users: readonly number[]): Promise<void> {
  if (!isDistributed()) return;
  await queryShards(
    client,
    { name: 'begin-backfill-here', text: 'select begin_backfill_here() as begun', values: [] },
    { users: () => users },
  );
}

/** Keeps backfills out on each server until the transaction ends. @returns false where one has not been committed yet */
export async function keepBackfillsOutOnServers(client: Client): Promise<boolean> {
  if (!isDistributed()) return true;
  const [answers] = await pipeline(client, () => [
    queryShards<{ kept: boolean }>(client, {
      name: 'keep-backfills-out-here',
      text: `select pg_try_advisory_xact_lock_shared(${locks.backfill}) as kept`,
    }),
    prepareChanges(client),
  ]);
  return answers.every(({ kept }) => kept);
}

/** Takes the lock of searches, shared, on each server, for what else decides by the alerts that it sees. */
export async function lockSearchOnServers(client: Client): Promise<void> {
  if (!isDistributed()) return;
  await pipeline(client, () => [
    queryShards(client, {
      name: 'lock-search-here',
      text: `select pg_advisory_xact_lock_shared(${locks.search}) is not null as locked`,
    }),
    prepareChanges(client),
  ]);
}

/**
 * Waits for the searches that have not been committed yet on each server, or those of some users.
 * @throws an error for which `isLockNotAvailable`
 */
export async function waitForSearchesOnServers(client: Client, users?: readonly number[]): Promise<void> {
  if (!isDistributed()) return;
  await queryShards(
    client,
    { name: 'wait-for-searches-here', text: 'select wait_for_searches_here() is null as over' },
    users && { users: () => users },
  );
}

/** Takes locks on the server of a user, where the transaction is about to write. @throws an error for which `isLockNotAvailable` */
async function lockOnServerOf(db: Queryable, userId: number, lock: number, ids: readonly number[]): Promise<void> {
  await queryShards(
    db,
    { name: 'lock-here', text: 'select lock_here($1, $2::int8[]) as locked', values: [lock, ids] },
    { users: () => [userId] },
  );
}

/**
 * Lets those who count a user's alerts follow one another on the user's server. The user's row is locked at the coordinator before.
 * @throws an error for which `isLockNotAvailable`, where a server has not committed yet what is over
 */
export async function lockPlanUseOnServer(db: Queryable, userId: number): Promise<void> {
  if (isDistributed()) await lockOnServerOf(db, userId, locks.planUse, [userId]);
}

/**
 * Waits for the searches of a car's listings that the server of a user has not committed yet, and lets later ones leave these
 * listings for later. The car is locked at the coordinator before.
 * @throws an error for which `isLockNotAvailable`
 */
export async function lockCarOnServer(db: Queryable, userId: number, listingId: number): Promise<void> {
  if (!isDistributed()) return;
  // A search locks its listing and those that it knows to be the same car.
  const { rows } = await db.query<{ id: number }>(
    `select id from listings
      where id = $1 or car_id = (select car_id from listings where id = $1)
     union select car_id from listings where id = $1 and car_id is not null`,
    [listingId],
  );
  const ids = rows.map(({ id }) => id);
  if (ids.length > 0) await lockOnServerOf(db, userId, locks.car, ids);
}
