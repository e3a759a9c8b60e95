import type { Client } from '../base/database.ts';
import { type AlertCriteria, fits, type ListingCriteria, verdictsFor } from '../domain/criteria/criteria.ts';

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
 * What an alert's mails may do now. `busy`: somebody else holds the alert, so look later; `rematching`: its criteria
 * were just edited and its pairs are being searched anew; `unconfirmed`: they wait for the address.
 */
export type AlertLook =
  | { state: 'gone' | 'busy' | 'off' | 'rematching' | 'unconfirmed' }
  | { state: 'watching'; alert: WatchingAlert };

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

/**
 * Locks the alert until the transaction ends, so that it can be neither switched off nor deleted nor edited between
 * this look and the claim.
 */
export async function lockAlert(client: Client, alertId: number, confirmEmail: boolean): Promise<AlertLook> {
  const { rows } = await client.query<AlertRow>({
    name: 'notify-lock-alert',
    text: `select a.*, a.is_active and a.expires_at > now() as watching, u.email, u.email_confirmed_at,
            clock_timestamp() as looked_at
       from alerts a join users u on u.id = a.user_id
      where a.id = $1 for no key update of a skip locked`,
    values: [alertId],
  });
  const row = rows[0];
  if (!row) {
    const found = await client.query('select 1 from alerts where id = $1', [alertId]);
    return { state: found.rowCount ? 'busy' : 'gone' };
  }
  if (!row.watching || !row.email_notifications || row.email === null) return { state: 'off' };
  if (confirmEmail && row.email_confirmed_at === null) return { state: 'unconfirmed' };
  if (row.pending_match) return { state: 'rematching' };
  return {
    state: 'watching',
    alert: {
      id: row.id,
      userId: row.user_id,
      version: row.version,
      email: row.email,
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
    },
  };
}

interface PairRow extends ListingCriteria {
  id: number;
  createdAt: Date;
  status: string;
  matchVersion: number | null;
}

export interface Pairs {
  fitting: { id: number; createdAt: Date }[];
  /** Ids of notifications whose pair no longer fits, or whose car is no longer for sale. */
  failing: number[];
}

const PAIRS_A_MAIL = 500;

/** Looks at the alert's waiting rows, or at those of one mail, as the cars and criteria are now. */
export async function lookAtPairs(client: Client, alert: WatchingAlert, mailId: string | null): Promise<Pairs> {
  const which = mailId === null ? "n.status = 'waiting'" : "n.status = 'sending' and n.mail_id = $2";
  const { rows } = await client.query<PairRow>({
    name: mailId === null ? 'notify-waiting-pairs' : 'notify-mail-pairs',
    text: `select n.id, n.created_at as "createdAt", coalesce(l.status, 'gone') as status, m.alert_version as "matchVersion",
            l.make, l.model, l.year, l.price, l.color, l.image_url as "imageUrl", l.lat, l.lng
       from notifications n
       left join listings l on l.id = n.listing_id
       left join matches m on m.listing_id = n.listing_id and m.alert_id = n.alert_id
      where n.alert_id = $1 and n.channel = 'email' and ${which}
      order by n.id limit ${PAIRS_A_MAIL}`,
    values: mailId === null ? [alert.id] : [alert.id, mailId],
  });
  const fitting = rows.filter(
    (row) => row.status === 'for_sale' && row.matchVersion === alert.version && fits(verdictsFor(alert.criteria, row)),
  );
  const kept = new Set(fitting.map(({ id }) => id));
  return { fitting, failing: rows.filter(({ id }) => !kept.has(id)).map(({ id }) => id) };
}

/** Settles notifications that will never be mailed. */
export async function dropNotifications(client: Client, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  await client.query("update notifications set status = 'dropped', settled_at = now() where id = any($1::int8[])", [
    ids,
  ]);
}
