import { beginByIndex, endWhenIdle, type Queryable } from '../base/database.ts';
import { locks } from '../base/under-lock.ts';

const CAR_LOCK = 7_402;

/** A process that is stopped in the middle holds up all others for no longer than `idleMs`. */
export const beginMatching = (idleMs: number): string => `${beginByIndex}; ${endWhenIdle(idleMs)}`;

/**
 * Searches from listings run beside each other, a search from alerts runs alone, each until its transaction ends.
 * So whoever searches second sees the pairs of the first, and none writes from an older view over a newer one.
 */
export async function lockMatching(client: Queryable): Promise<void> {
  await client.query({
    name: 'lock-matching-listings',
    text: `select pg_advisory_xact_lock_shared(${locks.matching})`,
  });
}

/** False while somebody else looks back. */
export const mayLookBack = `pg_try_advisory_xact_lock(${locks.lookBack})`;

/**
 * The lock of a search from alerts, see `lockMatching`. It is taken only where an alert waits and nobody else looks
 * back: whoever does so looks again after each batch. @returns whether it was taken
 */
export async function lockLookBack(client: Queryable): Promise<boolean> {
  const { rows } = await client.query<{ locked: boolean }>({
    name: 'lock-matching-alerts',
    text: `select case when ${mayLookBack}
                       then pg_advisory_xact_lock(${locks.matching}) is not null else false end as locked
             from (select from alerts where pending_match limit 1) waiting`,
  });
  return rows[0]?.locked ?? false;
}

/** Of one car listed twice, the second search sees what the first announced. In order, so that none waits in a ring. */
export async function lockCars(client: Queryable, carIds: readonly number[]): Promise<void> {
  if (carIds.length === 0) return;
  await client.query({
    name: 'lock-cars',
    text: `select pg_advisory_xact_lock(${CAR_LOCK}, key)
             from (select distinct hashint8(id) as key from unnest($1::int8[]) id order by key) cars`,
    values: [carIds],
  });
}
