import { lockCars } from '../base/advisory-lock.ts';
import type { Queryable } from '../base/database.ts';
import type { AlertCriteria } from '../domain/criteria/criteria.ts';
import { DISMISSED } from '../entities/notification-rules.ts';
import type { OwnedRow } from '../entities/owned-rows.ts';
import { lockCarOnServer } from '../placement/server-locks.ts';
import { isAskedLeftOpen } from './filter-rules.ts';
import { askedAlerts, askedOf, distanceMiles, notStated, pairFits } from './match-rules.ts';
import { type Matched, notifyMatches } from './match-transaction.ts';

/** SQL: the listings of the car of the listing `$2`. */
const ofCar = `
  select $2::int8 as id union
  select o.id from listings l join listings o on o.car_id = l.car_id where l.id = $2::int8`;

/** A car, by one of its listings, and a buyer. */
interface CarOfUser {
  userId: number;
  listingId: number;
}

/**
 * Locks those of a user's alerts that have a pair with the car of a listing, shown or not, or that told of the listing, in
 * the order of their ids, as edits lock them. What is read after it includes what an earlier call has hidden or restored.
 */
export async function lockAlertsOfCar(db: Queryable, { userId, listingId }: CarOfUser): Promise<number[]> {
  const { rows } = await db.query<{ id: number }>(
    `select a.id from alerts a
      where a.user_id = $1
        and (exists (select from matches m where m.alert_id = a.id and m.user_id = $1 and m.listing_id in (${ofCar})) or ${wasLeftOut('$2::int8', '$1')})
      order by a.id for update`,
    [userId, listingId],
  );
  return rows.map(({ id }) => id);
}

/**
 * Reads whether a user knows this very listing, and not only another one of its car: an alert shows it or it is dismissed
 * from one.
 * @param everMatched also where it fits no alert any more, or newer matches have taken its place
 */
export async function knowsListing(
  db: Queryable,
  { userId, listingId }: CarOfUser,
  everMatched: boolean,
): Promise<boolean> {
  const { rows } = await db.query(
    `select from alerts a
       left join lateral (
         select alert_version from matches where listing_id = $2::int8 and alert_id = a.id and user_id = $1 offset 0) m on true
      where a.user_id = $1
        and (m.alert_version in (a.version, ${DISMISSED})
             or $3::bool and (m.alert_version is not null or ${wasLeftOut('$2::int8', '$1')})) limit 1`,
    [userId, listingId, everMatched],
  );
  return rows.length > 0;
}

/**
 * Makes searches for the car's other listings wait, which would not see that the car is dismissed or restored.
 * @throws an error for which `isLockNotAvailable`, where the user's server can't say yet what a search has written there
 */
async function lockCarOf(db: Queryable, { userId, listingId }: CarOfUser): Promise<void> {
  const { rows } = await db.query<{ carId: number | null }>('select car_id as "carId" from listings where id = $1', [
    listingId,
  ]);
  await lockCars(
    db,
    rows.flatMap(({ carId }) => carId ?? []),
  );
  await lockCarOnServer(db, userId, listingId);
}

/**
 * SQL: whether the alert `a` told of a listing that it has no pair with any more, as there are too many newer ones.
 * @param listing SQL of its id @param user SQL of the id of the alert's user
 */
export const wasLeftOut = (listing: string, user: string): string => `(
  a.is_capped and exists (
    select from notifications n
     where n.alert_id = a.id and n.user_id = ${user} and n.listing_id = ${listing} and n.kind <> 'sold'))`;

/**
 * SQL: the position of a pair that is as old as an alert's oldest match, so that no reader by cursor takes it for a new one.
 * @param alert SQL of the alert's id and of its user's
 */
export const oldestPosition = (alert: { id: string; userId: string }): string =>
  `coalesce((select position from matches where alert_id = ${alert.id} and user_id = ${alert.userId}
              order by position limit 1), match_position())`;

/**
 * Hides the pairs of an alert and a car, of all listings of the car, until they are restored: searches leave them as they
 * are, and hide pairs with later listings of the car as well. The alert must be locked.
 * @param alert with its owner
 * @returns the ids of the listings whose pairs are hidden
 */
export async function dismissPairs(db: Queryable, alert: OwnedRow, listingId: number): Promise<number[]> {
  await lockCarOf(db, { userId: alert.userId, listingId });
  // Somebody reads a mail when newer matches have taken the place of its cars.
  await db.query(
    `/* dismiss-left-out */ insert into matches (listing_id, alert_id, user_id, alert_version, distance_miles, price, announced, position)
     select l.id, a.id, a.user_id, ${DISMISSED}, 0, l.price, true,
            ${oldestPosition({ id: 'a.id', userId: '$3' })}
       from alerts a join listings l on l.id = $2
      where a.id = $1 and a.user_id = $3 and ${wasLeftOut('l.id', '$3')}
     on conflict do nothing`,
    [alert.id, listingId, alert.userId],
  );
  const { rows } = await db.query<{ id: number }>(
    `/* dismiss-pairs */ with pairs as (
       select listing_id from matches where alert_id = $1 and user_id = $3 and listing_id in (${ofCar})
        order by listing_id for no key update
     )
     update matches m set alert_version = ${DISMISSED} from pairs p
      where m.alert_id = $1 and m.user_id = $3 and m.listing_id = p.listing_id
     returning m.listing_id as id`,
    [alert.id, listingId, alert.userId],
  );
  return rows.map(({ id }) => id);
}

/**
 * Shows the dismissed pairs of an alert and a car again, at a new position, where they fit; the others stay hidden as pairs
 * that no longer fit. The alert must be locked.
 */
export async function restorePairs(
  db: Queryable,
  alert: AlertCriteria & { id: number; userId: number; version: number },
  listingId: number,
): Promise<void> {
  await lockCarOf(db, { userId: alert.userId, listingId });
  const { rows } = await db.query<Matched>(
    `/* restore-pairs */ with asked as materialized (${askedAlerts('$3')}), held as materialized (
       select listing_id from matches
        where alert_id = $1 and user_id = $4 and alert_version = ${DISMISSED} and listing_id in (${ofCar})
        order by listing_id for no key update
     ), evaluated as materialized (
       select h.listing_id, l.*
         from asked c
        cross join held h
         left join lateral (
           select c.alert_version, ${distanceMiles} as distance_miles, ${notStated(isAskedLeftOpen)} as not_stated
             from listings l where l.id = h.listing_id and ${pairFits}
           offset 0) l on true
     ), current_position as materialized (select match_position() as position)
     update matches m
        set alert_version = coalesce(e.alert_version, 0), distance_miles = coalesce(e.distance_miles, m.distance_miles),
            not_stated = coalesce(e.not_stated, m.not_stated), position = p.position
       from evaluated e, current_position p
      where m.alert_id = $1 and m.user_id = $4 and m.listing_id = e.listing_id
     returning m.alert_id as id, m.position::text as position`,
    [alert.id, listingId, JSON.stringify([askedOf(alert)]), alert.userId],
  );
  await notifyMatches(db, 'alerts', rows.slice(0, 1));
}
