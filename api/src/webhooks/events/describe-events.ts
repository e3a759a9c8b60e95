import type { Queryable } from '../../base/database.ts';
import { type AlertCriteria, verdictsFor } from '../../domain/criteria/criteria.ts';
import { daysRemaining, isExpired, REMINDER_DAYS } from '../../domain/expiry.ts';
import { type AlertFields, alertFieldNames } from '../../domain/forms/alert.ts';
import { columnOf } from '../../entities/column-of.ts';
import { keysOf, type OwnedRow } from '../../entities/owned-rows.ts';
import { shownAlertFields } from '../../entities/shown-alert-fields.ts';
import { withMatchCount } from '../../live/read-matches.ts';
import { listingKey, readEventListings, toTenths } from './event-listings.ts';
import type { NewMatch } from './read-new-matches.ts';
import type { NewEvent } from './stored-events.ts';

interface AlertRow extends AlertFields {
  id: number;
  place: string;
  lat: number;
  lng: number;
  snoozedUntil: Date | null;
  isActive: boolean;
  pausedByPlan: boolean;
  createdAt: Date;
  expiresAt: Date;
  matchCount: number;
}

/** An alert as events show it, and its criteria. */
interface EventAlert {
  criteria: AlertCriteria;
  shown: Record<string, unknown>;
}

/** Presents an alert with the fields of REST, but for how many of its cars are new. */
function presentAlert(row: AlertRow, now: Date): EventAlert {
  const { color, isActive, expiresAt } = row;
  const values: Readonly<Record<string, unknown>> = {
    ...row,
    color: color ?? 'any',
    isActive: isActive && !isExpired(expiresAt, now),
    daysRemaining: daysRemaining(expiresAt, now),
  };
  return { criteria: row, shown: Object.fromEntries(shownAlertFields.map((name) => [name, values[name]])) };
}

const editedColumns = alertFieldNames.map((name) => `a.${columnOf(name)} as "${name}"`).join(', ');

/** Reads alerts by id, as they are now. */
async function readEventAlerts(db: Queryable, alerts: readonly OwnedRow[]): Promise<Map<number, EventAlert>> {
  if (alerts.length === 0) return new Map();
  const { rows } = await db.query<AlertRow & { now: Date }>({
    name: 'webhooks-alerts',
    text: `select a.id, ${editedColumns}, a.place, a.lat, a.lng,
                  a.snoozed_until as "snoozedUntil", a.is_active as "isActive",
                  a.paused_by_plan_at is not null as "pausedByPlan", a.created_at as "createdAt",
                  a.expires_at as "expiresAt", c.count as "matchCount", now() as now
             from alerts a ${withMatchCount}
            where a.id = any($1::int8[]) and a.user_id = any($2::int8[])`,
    values: keysOf(alerts),
  });
  return new Map(rows.map((row) => [row.id, presentAlert(row, row.now)]));
}

/** A drop of 5 % or more that matching wrote. Drops for several alerts of one buyer are one. */
interface PriceDrop {
  ids: number[];
  userId: number;
  listingId: number;
  price: number;
  priceBefore: number;
  droppedAt: Date;
}

const DROPS_A_BATCH = 500;

export async function readPriceDrops(db: Queryable): Promise<PriceDrop[]> {
  const { rows } = await db.query<PriceDrop>({
    name: 'webhooks-price-drops',
    text: `select array_agg(id::float8) as ids, user_id as "userId", listing_id as "listingId", price,
                  max(price_before) as "priceBefore", min(created_at) as "droppedAt"
             from (select * from price_drops order by id limit ${DROPS_A_BATCH}) d
            group by user_id, listing_id, price order by min(id)`,
  });
  return rows;
}

/** Deletes the price drops for which events were added. */
export async function purgePriceDrops(db: Queryable, drops: readonly PriceDrop[]): Promise<void> {
  if (drops.length === 0) return;
  await db.query('delete from price_drops where id = any($1::int8[]) and user_id = any($2::int8[])', [
    drops.flatMap(({ ids }) => ids),
    [...new Set(drops.map(({ userId }) => userId))],
  ]);
}

interface ExpiringAlert {
  userId: number;
  alertId: number;
  expiresAt: Date;
  /** Identifies the alert and its expiry date. */
  subject: string;
}

export const EXPIRING_A_BATCH = 500;
const subject = `a.id || ':' || extract(epoch from a.expires_at)::int8`;

/** Reads active alerts of these buyers that end within three days and have no event for that yet, 500 at most. */
export async function readExpiring(db: Queryable, buyers: readonly number[]): Promise<ExpiringAlert[]> {
  if (buyers.length === 0) return [];
  const { rows } = await db.query<ExpiringAlert>({
    name: 'webhooks-expiring',
    text: `select a.user_id as "userId", a.id as "alertId", a.expires_at as "expiresAt", ${subject} as subject
             from alerts a
            where a.user_id = any($1::int8[])
              and a.is_active and a.expires_at > now() and a.expires_at <= now() + interval '${REMINDER_DAYS} days'
              and exists (select from webhooks w where w.user_id = a.user_id and 'alert.expiring' = any(w.events))
              and not exists (
                select from webhook_events e
                 where e.user_id = a.user_id and e.type = 'alert.expiring' and e.subject = ${subject})
            order by a.expires_at, a.id limit ${EXPIRING_A_BATCH}`,
    values: [buyers],
  });
  return rows;
}

/** Makes the events of matches; a pair of which the alert or the listing is gone has none. */
export async function matchEvents(db: Queryable, matches: readonly NewMatch[]): Promise<NewEvent[]> {
  const alerts = await readEventAlerts(
    db,
    matches.map(({ alertId, userId }) => ({ id: alertId, userId })),
  );
  const listings = await readEventListings(db, matches);
  return matches.flatMap((match): NewEvent[] => {
    const alert = alerts.get(match.alertId);
    const listing = listings.get(listingKey(match));
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
          receipt: { listedAt, seenAt, matchedAt, handedOverAt: null, deliveredAt: null },
        },
      },
    ];
  });
}

/** Makes the events of price drops, for each buyer. */
export async function priceDropEvents(db: Queryable, drops: readonly PriceDrop[]): Promise<NewEvent[]> {
  const listings = await readEventListings(db, drops);
  return drops.flatMap((drop): NewEvent[] => {
    const listing = listings.get(listingKey(drop));
    if (!listing) return [];
    const { price, priceBefore, droppedAt, userId, listingId } = drop;
    const data = { price, priceBefore, droppedAt, listing: listing.shown };
    return [{ userId, type: 'listing.price_dropped', subject: `${listingId}:${price}`, at: droppedAt, data }];
  });
}

/** Makes the events of alerts that end soon. */
export async function expiringAlertEvents(db: Queryable, expiring: readonly ExpiringAlert[]): Promise<NewEvent[]> {
  const alerts = await readEventAlerts(
    db,
    expiring.map(({ alertId, userId }) => ({ id: alertId, userId })),
  );
  const at = new Date();
  return expiring.flatMap(({ userId, alertId, expiresAt, subject }): NewEvent[] => {
    const alert = alerts.get(alertId);
    return alert ? [{ userId, type: 'alert.expiring', subject, at, data: { expiresAt, alert: alert.shown } }] : [];
  });
}
