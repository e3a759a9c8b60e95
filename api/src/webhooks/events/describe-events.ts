import type { Queryable } from '../../base/database.ts';
import { verdictsFor } from '../../domain/criteria/criteria.ts';
import type { NewEvent } from './add-events.ts';
import { readToldAlerts } from './read-alerts.ts';
import type { ExpiringAlert } from './read-expiring.ts';
import { keyOfOwn, readToldListings, toTenths } from './read-listings.ts';
import type { NewMatch } from './read-new-matches.ts';
import type { PriceDrop } from './read-price-drops.ts';

/** Of matches; a pair that is no longer there is not told. */
export async function ofMatches(db: Queryable, matches: readonly NewMatch[]): Promise<NewEvent[]> {
  const alerts = await readToldAlerts(
    db,
    matches.map(({ alertId }) => alertId),
  );
  const listings = await readToldListings(db, matches);
  return matches.flatMap((match): NewEvent[] => {
    const alert = alerts.get(match.alertId);
    const listing = listings.get(keyOfOwn(match));
    if (!alert || !listing) return [];
    const { listedAt, seenAt } = listing;
    const { matchedAt, announced, distance, userId } = match;
    return [
      {
        userId,
        type: 'match.created',
        subject: `${match.alertId}:${match.listingId}`,
        at: matchedAt,
        data: {
          matchedAt,
          announced,
          distance: toTenths(distance),
          alert: alert.shown,
          listing: listing.shown,
          verdicts: verdictsFor(alert.criteria, listing.facts),
          receipt: { listedAt, seenAt, matchedAt, handedOverAt: null },
        },
      },
    ];
  });
}

/** Of drops, for each buyer. */
export async function ofDrops(db: Queryable, drops: readonly PriceDrop[]): Promise<NewEvent[]> {
  const listings = await readToldListings(db, drops);
  return drops.flatMap((drop): NewEvent[] => {
    const listing = listings.get(keyOfOwn(drop));
    if (!listing) return [];
    const { price, priceBefore, droppedAt, userId, listingId } = drop;
    const data = { price, priceBefore, droppedAt, listing: listing.shown };
    return [{ userId, type: 'listing.price_dropped', subject: `${listingId}:${price}`, at: droppedAt, data }];
  });
}

/** Of alerts that end soon. */
export async function ofExpiring(db: Queryable, expiring: readonly ExpiringAlert[]): Promise<NewEvent[]> {
  const alerts = await readToldAlerts(
    db,
    expiring.map(({ alertId }) => alertId),
  );
  const at = new Date();
  return expiring.flatMap(({ userId, alertId, expiresAt, subject }): NewEvent[] => {
    const alert = alerts.get(alertId);
    return alert ? [{ userId, type: 'alert.expiring', subject, at, data: { expiresAt, alert: alert.shown } }] : [];
  });
}
