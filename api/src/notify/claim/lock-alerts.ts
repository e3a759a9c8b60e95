import type { Client } from '../../base/database.ts';
import type { AlertCriteria } from '../../domain/criteria/criteria.ts';

export interface WatchingAlert {
  id: number;
  userId: number;
  version: number;
  email: string;
  lastMailedAt: Date | null;
  /** By the database's clock. */
  lookedAt: Date;
  criteria: AlertCriteria;
}

/**
 * What alerts' mails may do now, by ids. `busy`: somebody else holds the alert, so look later; `rematching`: its
 * criteria were just edited and its pairs are being searched anew; `unconfirmed`: they wait for the address.
 */
export interface AlertLooks {
  watching: Map<number, WatchingAlert>;
  off: number[];
  unconfirmed: number[];
  rematching: number[];
  gone: number[];
  busy: number[];
}

interface AlertRow {
  id: number;
  user_id: number;
  version: number;
  make: string;
  model: string | null;
  year_min: number | null;
  year_max: number | null;
  price_min: number | null;
  price_max: number | null;
  color: string | null;
  only_with_images: boolean;
  lat: number;
  lng: number;
  radius: number;
  email_notifications: boolean;
  pending_match: boolean;
  watching: boolean;
  last_mailed_at: Date | null;
  email: string | null;
  email_confirmed_at: Date | null;
  looked_at: Date;
}

function toAlert(row: AlertRow, email: string): WatchingAlert {
  return {
    id: row.id,
    userId: row.user_id,
    version: row.version,
    email,
    lastMailedAt: row.last_mailed_at,
    lookedAt: row.looked_at,
    criteria: {
      make: row.make,
      model: row.model,
      yearMin: row.year_min,
      yearMax: row.year_max,
      priceMin: row.price_min,
      priceMax: row.price_max,
      color: row.color,
      onlyWithImages: row.only_with_images,
      lat: row.lat,
      lng: row.lng,
      radius: row.radius,
    },
  };
}

/**
 * Locks those of the alerts that nobody else holds until the transaction ends, so that they can be neither switched
 * off nor deleted nor edited between this look and the claim. It never waits, and so can't be part of a deadlock.
 */
export async function lockAlerts(client: Client, alertIds: readonly number[], confirmEmail: boolean) {
  const looks: AlertLooks = { watching: new Map(), off: [], unconfirmed: [], rematching: [], gone: [], busy: [] };
  const { rows } = await client.query<AlertRow>({
    name: 'notify-lock-alerts',
    text: `select a.*, a.is_active and a.expires_at > now() as watching, u.email, u.email_confirmed_at,
            clock_timestamp() as looked_at
       from alerts a join users u on u.id = a.user_id
      where a.id = any($1::int8[]) order by a.id for no key update of a skip locked`,
    values: [alertIds],
  });
  for (const row of rows) {
    if (!row.watching || !row.email_notifications || row.email === null) looks.off.push(row.id);
    else if (confirmEmail && row.email_confirmed_at === null) looks.unconfirmed.push(row.id);
    else if (row.pending_match) looks.rematching.push(row.id);
    else looks.watching.set(row.id, toAlert(row, row.email));
  }
  if (rows.length === alertIds.length) return looks;
  const locked = new Set(rows.map(({ id }) => id));
  const missing = alertIds.filter((id) => !locked.has(id));
  const there = await client.query<{ id: number }>('select id from alerts where id = any($1::int8[])', [missing]);
  looks.busy = there.rows.map(({ id }) => id);
  looks.gone = missing.filter((id) => !looks.busy.includes(id));
  return looks;
}
