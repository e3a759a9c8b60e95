import type { Queryable } from '../base/database.ts';
import { locks } from '../base/under-lock.ts';

const CAR_LOCK = 7_402;

/**
 * Searches from listings run beside each other, a search from alerts runs alone, each until its transaction ends.
 * So whoever searches second sees the pairs of the first, and none writes from an older view over a newer one.
 */
export async function lockMatching(client: Queryable, side: 'listings' | 'alerts'): Promise<void> {
  const lock = side === 'listings' ? 'pg_advisory_xact_lock_shared' : 'pg_advisory_xact_lock';
  await client.query({ name: `lock-matching-${side}`, text: `select ${lock}(${locks.matching})` });
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
