import type { EntityManager } from '@mikro-orm/postgresql';
import type { Queryable } from '../base/database.ts';
import { AppError } from '../base/errors.ts';
import { DISMISSED } from '../entities/notification-rules.ts';
import { sqlOf } from '../entities/sql-of.ts';
import { dismissPairs, knowsListing, lockAlertsOfCar, restorePairs, wasLeftOut } from '../matching/dismiss-pairs.ts';
import { dropWaiting } from '../notify/release-waiting.ts';
import { lockOwnAlert } from './alert-row.ts';

/** A car and an alert that has matched it. */
export interface CarOfAlert {
  alertId: number;
  userId: number;
  listingId: number;
}

const noPair = () => new AppError('NOT_FOUND', 'This car is no longer listed');

/**
 * Hides a car from an alert and ends all messages of the alert about it, under every listing that it has or gets. Doing it
 * again changes nothing.
 * @throws AppError NOT_FOUND when the alert is gone or another user's, or has no such match any more
 */
export async function dismissCar(em: EntityManager, { alertId, userId, listingId }: CarOfAlert): Promise<void> {
  await em.transactional(async (tx) => {
    await lockOwnAlert(tx, { id: userId }, alertId);
    const db = sqlOf(tx);
    const alert = { id: alertId, userId };
    const hidden = await dismissPairs(db, alert, listingId);
    if (hidden.length === 0) throw noPair();
    await dropWaiting(db, alert, hidden);
  });
}

/**
 * Undoes `dismissCar`: what fits the alert is shown again, and price drops from now on are announced.
 * @throws AppError NOT_FOUND when the alert is gone or another user's
 */
export async function restoreCar(em: EntityManager, { alertId, userId, listingId }: CarOfAlert): Promise<void> {
  await em.transactional(async (tx) => {
    const alert = await lockOwnAlert(tx, { id: userId }, alertId);
    await restorePairs(sqlOf(tx), alert, listingId);
  });
}

/**
 * Hides a car from all alerts of a user that have matched it, as `dismissCar` does, also from those that it does not fit now,
 * or shows it in all from which it is hidden. Doing it again changes nothing.
 * @throws AppError NOT_FOUND when no alert of the user shows or hides this listing, or, to hide it, has matched it
 */
export async function hideCar(em: EntityManager, car: Omit<CarOfAlert, 'alertId'>, hidden: boolean): Promise<void> {
  await em.transactional(async (tx) => {
    const db = sqlOf(tx);
    // Before anything is read: an undo may come while its car is being hidden.
    const alertIds = await lockAlertsOfCar(db, car);
    if (!(await knowsListing(db, car, hidden))) throw new AppError('NOT_FOUND', 'Listing not found');
    for (const alertId of alertIds) {
      const alert = { id: alertId, userId: car.userId };
      if (hidden) await dropWaiting(db, alert, await dismissPairs(db, alert, car.listingId));
      else await restorePairs(db, await lockOwnAlert(tx, { id: car.userId }, alertId), car.listingId);
    }
  });
}

export interface LinkedCar {
  title: string;
  isDismissed: boolean;
}

/** Finds the car of a signed link; null when the alert has no such match any more. */
export async function findCarForLink(
  queryable: Queryable,
  { alertId, userId, listingId }: CarOfAlert,
): Promise<LinkedCar | null> {
  const { rows } = await queryable.query<LinkedCar>(
    `select l.title, coalesce(m.alert_version = ${DISMISSED}, false) as "isDismissed"
       from alerts a join listings l on l.id = $3
       left join matches m on m.alert_id = a.id and m.user_id = a.user_id and m.listing_id = l.id
      where a.id = $1 and a.user_id = $2 and (m.alert_id is not null or ${wasLeftOut('l.id', '$2')})`,
    [alertId, userId, listingId],
  );
  return rows[0] ?? null;
}
