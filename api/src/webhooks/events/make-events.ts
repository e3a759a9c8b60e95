import { inTransaction, type Pool, type Queryable } from '../../base/database.ts';
import { locks } from '../../base/under-lock.ts';
import { verdictsFor } from '../../domain/criteria/criteria.ts';
import { addEvents, type NewEvent } from './add-events.ts';
import { readToldAlerts } from './read-alerts.ts';
import { type ExpiringAlert, readExpiring } from './read-expiring.ts';
import { keyOfOwn, readToldListings, toTenths } from './read-listings.ts';
import { MATCHES_AT_ONCE, movePositions, type NewMatch, readNewMatches } from './read-new-matches.ts';
import { forgetPriceDrops, type PriceDrop, readPriceDrops } from './read-price-drops.ts';

/** What a pair is no longer there for is not told. */
async function ofMatches(db: Queryable, matches: readonly NewMatch[]): Promise<NewEvent[]> {
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

async function ofDrops(db: Queryable, drops: readonly PriceDrop[]): Promise<NewEvent[]> {
  const listings = await readToldListings(db, drops);
  return drops.flatMap((drop): NewEvent[] => {
    const listing = listings.get(keyOfOwn(drop));
    if (!listing) return [];
    const { price, priceBefore, droppedAt, userId, listingId } = drop;
    const data = { price, priceBefore, droppedAt, listing: listing.shown };
    return [{ userId, type: 'listing.price_dropped', subject: `${listingId}:${price}`, at: droppedAt, data }];
  });
}

async function ofExpiring(db: Queryable, expiring: readonly ExpiringAlert[]): Promise<NewEvent[]> {
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

/**
 * Makes one round of events of what happened to buyers who have webhooks, each once ever. What was read and what came of
 * it commit together; it is all read before anything is written, as a transaction that writes holds up live matches.
 * Returns whether there may be more at once.
 */
export async function makeEvents(pool: Pool): Promise<boolean> {
  return inTransaction(pool, async (client) => {
    await client.query('select pg_advisory_xact_lock($1)', [locks.webhookEvents]);
    const matches = await readNewMatches(client);
    const drops = await readPriceDrops(client);
    const expiring = await readExpiring(client);
    const news = matches.filter(({ isNews }) => isNews);
    const events = [
      ...(await ofMatches(client, news)),
      ...(await ofDrops(client, drops)),
      ...(await ofExpiring(client, expiring)),
    ];
    await addEvents(client, events);
    await movePositions(client, matches);
    await forgetPriceDrops(client, drops);
    return drops.length > 0 || expiring.length > 0 || isFull(matches);
  });
}

function isFull(matches: readonly NewMatch[]): boolean {
  const ofEach = Map.groupBy(matches, ({ userId }) => userId);
  return [...ofEach.values()].some((list) => list.length >= MATCHES_AT_ONCE);
}
