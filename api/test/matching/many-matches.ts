import { MATCHES_KEPT } from '../../src/domain/match-cap.ts';
import type { TestDatabase } from '../database.ts';
import { unmarkListings } from './listing-marks.ts';
import { camry, insertListings, type TestListing } from './match-rows.ts';

/** Inserts cars that were searched for, seen a second after each other until now. @returns their ids, the oldest first */
export async function insertSeenCars(db: TestDatabase, count: number, car: TestListing = camry): Promise<number[]> {
  const ids = await insertListings(
    db.pool,
    Array.from({ length: count }, () => car),
  );
  await db.pool.query(
    `with k as materialized (
       select id, now() - ($2 - n) * interval '1 second' as at from unnest($1::int8[]) with ordinality k (id, n)
     )
     update listings l set seen_at = k.at from k where l.id = k.id`,
    [ids, count],
  );
  await unmarkListings(db.pool);
  return ids;
}

/** Gives an alert newer matches of cars that are nowhere else. @returns their ids */
export async function insertNewerMatches(db: TestDatabase, alertId: number, count = MATCHES_KEPT): Promise<number[]> {
  const { last } = await db.row('select coalesce(max(listing_id), 0) + 1000000 as last from matches');
  const ids = Array.from({ length: count }, (_, n) => last + n + 1);
  await db.pool.query(
    `insert into matches (listing_id, alert_id, user_id, alert_version, distance_miles, price, announced)
     select l.id, a.id, a.user_id, a.version, 0, 1, false from alerts a cross join unnest($2::int8[]) l (id) where a.id = $1`,
    [alertId, ids],
  );
  return ids;
}

/** The listings that an alert shows, in their order. */
export async function shownListings(db: TestDatabase, alertId: number): Promise<number[]> {
  const rows = await db.rows(
    `select m.listing_id as id from matches m join alerts a on a.id = m.alert_id and a.user_id = m.user_id and a.version = m.alert_version
      where a.id = $1 order by m.listing_id`,
    [alertId],
  );
  return rows.map(({ id }) => id);
}

/** Notes an alert as the search for listings does with some of its matches. */
export async function noteAlert(db: TestDatabase, alertId: number): Promise<void> {
  const alert = await db.row('select user_id as "userId" from alerts where id = $1', [alertId]);
  await db.pool.query('insert into alerts_to_trim (alert_id, user_id) values ($1, $2)', [alertId, alert?.userId ?? 0]);
}
