import { type Client, inTransaction, limitIdleTime, type Pool, type Queryable, SHORT_IDLE_MS } from './database.ts';

/** The keys of all advisory locks, in one list so that no two are the same. */
export const locks = {
  /** A backfill holds it while it reads and writes pairs; searches of changed listings take it shared. */
  backfill: 7_401,
  /** With a car's key: serialises what is announced of a car that is listed several times. */
  car: 7_402,
  /** With a key of a new car: serialises intake where several sources list one car. */
  newCar: 7_403,
  /** Searches from listings take it shared, erasures exclusively. */
  search: 7_404,
  /** With a number's hash: serialises the codes of a phone number across accounts. */
  phone: 7_405,
  /** With a car's key: serialises the ends of a car's listings, so that the last one is seen to be the last. */
  endedCar: 7_406,
  /** Guards the outbox file. */
  outbox: 7_409,
  /** Serialises what finds out which server runs. */
  knownServer: 7_410,
  /** Serialises the correction of the plans. */
  plans: 7_411,
  /** Serialises the creation of webhook events, so that their ids follow the order of commits. */
  webhookEvents: 7_418,
  /** With an address's hash: gives a browser that gets push messages to one user at a time. */
  browser: 7_421,
  /** Lets one transaction at a time backfill. */
  backfiller: 7_422,
  /** With a user, on the user's server of a cluster: serialises what counts the user's alerts. */
  planUse: 7_423,
  /** On each server of a cluster: who writes positions of matches takes it shared, who begins an epoch there exclusively. */
  positions: 7_430,
  /** With a shard's id, on its server: keeps events in the order of their numbers where their commits are late. */
  eventsOfShard: 7_431,
  /** On the coordinator of a cluster: who decides transactions in doubt; others need not wait for that. */
  doubts: 7_432,
} as const;

/**
 * Takes a lock for which many wait, until the transaction ends. The transaction gets a short idle timeout, so that a
 * stopped process loses the lock within seconds.
 */
export async function lockContended(client: Queryable, key: number): Promise<void> {
  await client.query("select set_config('idle_in_transaction_session_timeout', $2, true), pg_advisory_xact_lock($1)", [
    key,
    String(SHORT_IDLE_MS),
  ]);
}

/** Takes the shared lock of what decides by the alerts that it sees: who changed an alert waits for it before a backfill. */
export async function lockSearch(client: Queryable): Promise<void> {
  await client.query({ name: 'lock-search', text: `select pg_advisory_xact_lock_shared(${locks.search})` });
}

/**
 * Waits, in a transaction, until the searches that run now have ended, and does not keep them out: those that come meanwhile
 * wait for no longer than this does.
 */
export async function waitForSearches(client: Queryable): Promise<void> {
  // A lock that is taken after a savepoint is released with it.
  await client.query(
    `/* wait-for-searches */ savepoint waiting; select pg_advisory_xact_lock(${locks.search});
     rollback to savepoint waiting; release savepoint waiting`,
  );
}

/** Locks cars in order, so that for a car that is listed twice the second search sees what the first announced. */
export async function lockCars(client: Queryable, carIds: readonly number[]): Promise<void> {
  if (carIds.length === 0) return;
  await client.query({
    name: 'lock-cars',
    text: `select pg_advisory_xact_lock(${locks.car}, key)
             from (select distinct hashint8(id) as key from unnest($1::int8[]) id order by key) cars`,
    values: [carIds],
  });
}

/** SQL: takes the lock of a car until the transaction ends. @param car SQL of its id @returns false where another transaction has it */
export const tryLockCar = (car: string): string => `pg_try_advisory_xact_lock(${locks.car}, hashint8(${car}))`;

/** SQL: the same for those who only keep the searches for its listings out, several at once. */
export const tryShareCar = (car: string): string => `pg_try_advisory_xact_lock_shared(${locks.car}, hashint8(${car}))`;

/** How long the holder of a lock may be idle before it loses the lock. */
const SILENT_MS = 8_000;

/** Whether the lock is held for long enough to act now. Call it immediately before the act. */
export type IsHeld = () => boolean;

/**
 * Runs `work` under a lock that excludes all processes of this database; its own statements are not part of the lock's
 * transaction. A process that dies or is stopped loses the lock, so that `work` must call `isHeld` before each act that
 * needs the lock, with nothing awaited in between.
 * @param silentMs how long a stopped process holds the lock
 */
export function withAdvisoryLock<T>(
  pool: Pool,
  key: number,
  work: (isHeld: IsHeld) => Promise<T>,
  silentMs = SILENT_MS,
): Promise<T> {
  const locked = async (client: Client) => {
    await client.query('select pg_advisory_xact_lock($1)', [key]);
    // The server's idle timeout restarts with this statement, and no earlier than it is sent.
    const from = performance.now();
    await client.query('select 1');
    return work(() => performance.now() - from < silentMs / 2);
  };
  return inTransaction(pool, locked, `begin; ${limitIdleTime(silentMs)}`);
}
