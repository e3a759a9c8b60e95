import type { Queryable } from '../base/database.ts';
import { COUNTED_MATCHES } from '../domain/match-cap.ts';
import { keysOf, type OwnedRow } from '../entities/owned-rows.ts';

/**
 * SQL: whether a match is news to its buyer: it is less than 24 hours old, and its listing was seen after the alert was
 * made or last edited. What a backfill found is not. `isNew` also asks that the buyer has not viewed the listing.
 * @param seenAt an expression for the time at which the match's listing was first seen
 */
export const isNewsToBuyer = (match: string, alert: string, seenAt: string): string =>
  `${match}.matched_at > now() - interval '24 hours' and ${seenAt} >= ${alert}.backfill_requested_at`;

/** SQL: the cars that are new by the alert `a`, of the newest it keeps. "offset 0" keeps the look-up of each listing by its id. */
const newCarsOfAlert = `
  select coalesce(l.car_id, l.id) as car
    from (select * from matches where alert_id = a.id and user_id = a.user_id and alert_version = a.version
           order by position desc, listing_id desc limit ${COUNTED_MATCHES}) m
   cross join lateral (select id, car_id, seen_at from listings where id = m.listing_id offset 0) l
   where ${isNewsToBuyer('m', 'a', 'l.seen_at')}
     and not exists (select from listing_views where user_id = a.user_id and listing_id = l.id)`;

/** Counts the new cars of each alert, each car once. */
export async function countNewOfAlerts(
  db: Queryable,
  alerts: readonly OwnedRow[],
): Promise<(OwnedRow & { count: number })[]> {
  const { rows } = await db.query<OwnedRow & { count: number }>({
    name: 'load-new-counts',
    text: `select a.id, a.user_id as "userId", n.count
             from alerts a
            cross join lateral (select count(distinct car)::int4 as count from (${newCarsOfAlert} offset 0) c) n
            where a.id = any($1::int8[]) and a.user_id = any($2::int8[])`,
    values: keysOf(alerts),
  });
  return rows;
}

/** Counts the cars that are new to a user by any of their alerts, each car once, up to `COUNTED_MATCHES`. */
export async function countNewOfUser(db: Queryable, userId: number): Promise<number> {
  const { rows } = await db.query<{ count: number }>({
    name: 'count-new-cars',
    text: `select count(*)::int4 as count from (
             select distinct n.car from alerts a cross join lateral (${newCarsOfAlert} offset 0) n where a.user_id = $1
              limit ${COUNTED_MATCHES}) cars`,
    values: [userId],
  });
  return rows[0]?.count ?? 0;
}
