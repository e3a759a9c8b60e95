import type { Queryable } from '../../base/database.ts';
import type { AlertCriteria } from '../../domain/criteria/criteria.ts';
import { daysRemaining, isExpired } from '../../domain/expiry.ts';

interface AlertRow extends AlertCriteria {
  id: number;
  location: string;
  place: string;
  emailNotifications: boolean;
  textNotifications: boolean;
  isActive: boolean;
  pausedByPlan: boolean;
  createdAt: Date;
  expiresAt: Date;
  matchCount: number;
}

/** An alert as events show it, and what it asks. */
export interface ToldAlert {
  criteria: AlertCriteria;
  shown: Record<string, unknown>;
}

/** The same fields as REST's. */
function present(row: AlertRow, now: Date): ToldAlert {
  const { id, make, model, yearMin, yearMax, location, place, radius, priceMin, priceMax, color, expiresAt } = row;
  const shown = {
    id,
    make,
    model,
    yearMin,
    yearMax,
    location,
    place,
    radius,
    priceMin,
    priceMax,
    color: color ?? 'any',
    onlyWithImages: row.onlyWithImages,
    emailNotifications: row.emailNotifications,
    textNotifications: row.textNotifications,
    isActive: row.isActive && !isExpired(expiresAt, now),
    pausedByPlan: row.pausedByPlan,
    createdAt: row.createdAt,
    expiresAt,
    daysRemaining: daysRemaining(expiresAt, now),
    matchCount: row.matchCount,
  };
  return { criteria: row, shown };
}

/** Alerts by their numbers, as they are now. */
export async function readToldAlerts(db: Queryable, ids: readonly number[]): Promise<Map<number, ToldAlert>> {
  if (ids.length === 0) return new Map();
  const { rows } = await db.query<AlertRow & { now: Date }>({
    name: 'webhooks-alerts',
    text: `select a.id, a.make, a.model, a.year_min as "yearMin", a.year_max as "yearMax", a.location, a.place, a.radius,
                  a.price_min as "priceMin", a.price_max as "priceMax", a.color, a.only_with_images as "onlyWithImages",
                  a.email_notifications as "emailNotifications", a.text_notifications as "textNotifications",
                  a.is_active as "isActive", a.paused_by_plan_at is not null as "pausedByPlan", a.created_at as "createdAt", a.expires_at as "expiresAt", a.lat, a.lng,
                  c.count as "matchCount", now() as now
             from alerts a
            cross join lateral (
              select count(*)::int4 from matches where alert_id = a.id and alert_version = a.version offset 0) c
            where a.id = any($1::int8[])`,
    values: [[...new Set(ids)]],
  });
  return new Map(rows.map((row) => [row.id, present(row, row.now)]));
}
