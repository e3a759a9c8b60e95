import type { Queryable } from '../base/database.ts';
import type { AlertCriteria } from '../domain/criteria/criteria.ts';
import { criteriaColumns } from '../entities/criteria-columns.ts';
import { DISMISSED } from '../entities/notification-rules.ts';
import type { OwnedRow } from '../entities/owned-rows.ts';
import { oldestPosition, wasLeftOut } from './dismiss-pairs.ts';
import { isAskedLeftOpen } from './filter-rules.ts';
import { askedAlerts, askedOf, distanceMiles, notStated, pairFits, pairVersion } from './match-rules.ts';

/**
 * Writes the pairs of an alert and listings again that newer matches have replaced, where the alert told of them and they fit
 * now. They are as old as its oldest match. Something must hold them, as a bookmark or a message does, or the clean-up deletes
 * them again. The listings must be locked, so that a change of them is searched for when the pairs are there, and the alert
 * after them: photos that link listings lock both in this order.
 * @returns how many there are
 */
export async function restoreLeftOut(
  db: Queryable,
  { id, userId }: OwnedRow,
  listingIds: readonly number[],
): Promise<number> {
  if (listingIds.length === 0) return 0;
  const { rows: alerts } = await db.query<AlertCriteria & { id: number; userId: number; version: number }>(
    `select a.id, a.user_id as "userId", a.version, ${criteriaColumns('a')} from alerts a where a.id = $1 and a.user_id = $2`,
    [id, userId],
  );
  const [alert] = alerts;
  if (!alert) return 0;
  const { rowCount } = await db.query(
    `/* restore-left-out */ with asked as materialized (${askedAlerts('$1')}), told as materialized (
       select n.listing_id, (array_agg(n.price order by n.id desc))[1] as price, bool_or(n.status <> 'dropped') as announced,
              min(n.created_at) as at
         from alerts a join notifications n on n.alert_id = a.id and n.user_id = a.user_id and n.kind <> 'sold'
        where a.id = $2 and a.user_id = $4 and n.listing_id = any ($3::int8[]) and ${wasLeftOut('n.listing_id', '$4')}
        group by n.listing_id
     )
     insert into matches (listing_id, alert_id, user_id, alert_version, distance_miles, not_stated, price, announced, matched_at, position)
     select t.listing_id, c.alert_id, c.user_id, c.alert_version, l.distance_miles, l.not_stated, t.price, t.announced, t.at,
            ${oldestPosition({ id: '$2', userId: '$4' })}
       from asked c
      cross join told t
      cross join lateral (
        select ${pairVersion} as version, ${distanceMiles} as distance_miles, ${notStated(isAskedLeftOpen)} as not_stated
          from listings l where l.id = t.listing_id and ${pairFits}
        offset 0) l
      where l.version <> ${DISMISSED}
      order by t.listing_id
     on conflict do nothing`,
    [JSON.stringify([askedOf(alert)]), id, listingIds, userId],
  );
  if (rowCount) await db.query('insert into alerts_to_trim (alert_id, user_id) values ($1, $2)', [id, userId]);
  return rowCount ?? 0;
}

interface ListingOfUser {
  userId: number;
  listingId: number;
}

/**
 * Keeps a listing that an alert of a user told of from changes and searches until the transaction ends, which then find the
 * pairs that it has written. It is to be called before the user or an alert is locked. @returns whether an alert told of it
 */
export async function lockLeftOut(db: Queryable, { userId, listingId }: ListingOfUser): Promise<boolean> {
  const { rowCount } = await db.query(
    `/* lock-left-out */ select from listings l
      where l.id = $2 and exists (select from alerts a where a.user_id = $1 and ${wasLeftOut('$2::int8', '$1')}) for share of l`,
    [userId, listingId],
  );
  return rowCount === 1;
}

/**
 * Does so for all alerts of a user that told of a listing, and locks them in the order in which edits do. The listing must be
 * locked, and then the user.
 * @returns whether it is a match of one of them again
 */
export async function restoreLeftOutOfUser(db: Queryable, { userId, listingId }: ListingOfUser): Promise<boolean> {
  const { rows } = await db.query<{ id: number }>(
    `select a.id from alerts a where a.user_id = $1 and ${wasLeftOut('$2::int8', '$1')} order by a.id for update`,
    [userId, listingId],
  );
  let restored = 0;
  for (const { id } of rows) restored += await restoreLeftOut(db, { id, userId }, [listingId]);
  return restored > 0;
}
