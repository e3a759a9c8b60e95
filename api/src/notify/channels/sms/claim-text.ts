import { randomUUID } from 'node:crypto';
import { type Client, inTransaction, type Pool, type Queryable } from '../../../base/database.ts';
import { alertName } from '../../../domain/alert-name.ts';
import type { AlertCriteria } from '../../../domain/criteria/criteria.ts';
import type { DeliverySettings } from '../../../domain/delivery/departure.ts';
import { monthlyTexts } from '../../../domain/text-limits.ts';
import { countedTexts, mayBeTexted } from '../../../entities/notification-rules.ts';
import { matchText, segments, type TextCar } from '../../../messages/texts.ts';
import type { OutgoingText } from '../../../vendors/texts/text.ts';
import type { Claim } from '../../adapter.ts';
import { enqueueMail } from '../../enqueue-mail.ts';
import { currentHold, type DeliveryRow, deliveryColumns, type Hold, holdOf, settingsOf } from '../delivery-settings.ts';
import { PAIRS_A_MESSAGE, REMATCHED_MS, readWaitingPairs, revalidatePairs } from '../revalidate-matches.ts';

/** A row of `texts` that this process has claimed: its status is 'sending'. */
export interface ClaimedText extends Claim {
  id: string;
  userId: number;
  text: OutgoingText;
  /** When the alert's previous text was sent, to restore the five minutes if this one is not accepted. */
  lastTextedAt: Date | null;
}

interface TextedAlert {
  id: number;
  userId: number;
  version: number;
  /** 'Toyota Camry' */
  name: string;
  /** 'Austin, TX' */
  place: string;
  /** E.164. */
  phone: string;
  planId: number;
  username: string;
  email: string | null;
  isEmailConfirmed: boolean;
  /** The month and cap for which the owner was notified. */
  capNotified: string | null;
  lastTextedAt: Date | null;
  /** By the database's clock. */
  lockedAt: Date;
  criteria: AlertCriteria;
  settings: DeliverySettings;
  wantsDrops: boolean;
}

interface AlertRow extends AlertCriteria, DeliveryRow, Omit<TextedAlert, 'name' | 'criteria' | 'settings' | 'phone'> {
  phone: string | null;
  wanted: boolean;
  mayBeTexted: boolean;
  isRematching: boolean;
}

/**
 * Locks an alert and its owner, if they are not locked yet, until the transaction ends, so that no edit and no other text of
 * that owner comes before the claim. It never waits for a lock. `off`: the alert sends no texts any more.
 */
async function lockTextedAlert(client: Client, alertId: number): Promise<TextedAlert | 'busy' | 'off' | 'rematching'> {
  const { rows } = await client.query<AlertRow>({
    name: 'texts-lock-alert',
    text: `select a.id, a.user_id as "userId", a.version, a.make, a.model, a.year_min as "yearMin",
            a.year_max as "yearMax", a.price_min as "priceMin", a.price_max as "priceMax", a.color,
            a.only_with_images as "onlyWithImages", a.lat, a.lng, a.radius, a.place,
            a.price_drops as "wantsDrops", a.pending_match as "isRematching", a.last_texted_at as "lastTextedAt",
            a.is_active and a.expires_at > now() and a.text_notifications as wanted,
            ${mayBeTexted('u')} as "mayBeTexted",
            u.phone, u.plan_id as "planId", u.username, u.email, u.email_confirmed_at is not null as "isEmailConfirmed",
            u.text_cap_told as "capNotified", ${deliveryColumns('a', 'u')}, clock_timestamp() as "lockedAt"
       from alerts a join users u on u.id = a.user_id
      where a.id = $1 for no key update of a, u skip locked`,
    values: [alertId],
  });
  const [row] = rows;
  if (!row) {
    const { rowCount } = await client.query('select 1 from alerts where id = $1', [alertId]);
    return rowCount ? 'busy' : 'off';
  }
  const { wanted, isRematching, phone } = row;
  if (!wanted || !row.mayBeTexted || phone === null) return 'off';
  return isRematching
    ? 'rematching'
    : { ...row, phone, name: alertName(row), criteria: row, settings: settingsOf(row, 'sms') };
}

interface TextedCar extends TextCar {
  listingId: number;
}

type CarRow = Omit<TextedCar, 'place'> & { city: string | null; state: string | null };

/** Reads the cars of these notifications, newest listing first; a car with two notifications occurs once. */
async function readTextCars(client: Client, notificationIds: readonly number[]): Promise<TextedCar[]> {
  const { rows } = await client.query<CarRow>({
    name: 'texts-cars',
    text: `select l.id as "listingId", l.title, l.price, l.city, l.state, before.price as "priceBefore"
       from (select listing_id, bool_or(kind = 'price_drop') as dropped
               from notifications where id = any($1::int8[]) group by 1) n
       join listings l on l.id = n.listing_id
       left join lateral (
         select p.price from price_changes p where p.listing_id = l.id and p.price > l.price
          order by p.seen_at desc limit 1
       ) before on n.dropped
      order by coalesce(l.listed_at, l.seen_at) desc, l.id desc`,
    values: [notificationIds],
  });
  return rows.map(({ city, state, ...car }) => ({
    ...car,
    place: city === null ? null : [city, state].filter((part) => part !== null).join(', '),
  }));
}

/** Counts a user's texts towards this month's cap, including those being sent. The user's row must be locked. */
async function readMonthsTexts(client: Client, userId: number): Promise<number> {
  const { rows } = await client.query<{ used: number }>({
    name: 'texts-of-month',
    text: `select count(*)::int as used from texts where user_id = $1 and ${countedTexts}`,
    values: [userId],
  });
  return rows[0]?.used ?? 0;
}

/** Enqueues a mail that the cap is reached, once a month, and again after the plan's cap has changed. */
async function notifyCapReached(
  client: Client,
  owner: Pick<TextedAlert, 'userId' | 'email' | 'isEmailConfirmed' | 'capNotified'>,
  cap: number,
  confirmEmail: boolean,
): Promise<void> {
  const { rows } = await client.query<{ notified: string; resetsAt: Date }>(
    `select to_char(now() at time zone 'UTC', 'YYYY-MM') || '/' || $1::text as notified,
            (date_trunc('month', now() at time zone 'UTC') + interval '1 month') at time zone 'UTC' as "resetsAt"`,
    [cap],
  );
  const [month] = rows;
  if (!month || month.notified === owner.capNotified) return;
  await client.query('update users set text_cap_told = $2 where id = $1', [owner.userId, month.notified]);
  if (owner.email === null || (confirmEmail && !owner.isEmailConfirmed)) return;
  const data = { cap, resetsAt: month.resetsAt.toISOString() };
  await enqueueMail(client, { kind: 'text_cap', userId: owner.userId, to: owner.email, data });
}

interface ClaimParts {
  pool: Pool;
  publicUrl: string;
  confirmEmail: boolean;
}

async function dropWaiting(client: Client, alertId: number): Promise<void> {
  await client.query({
    name: 'texts-drop-waiting',
    text: `update notifications set status = 'dropped', settled_at = now()
            where alert_id = $1 and status = 'waiting' and channel = 'sms'`,
    values: [alertId],
  });
}

async function deferUntil(client: Client, alertId: number, { until, heldBy }: Hold): Promise<void> {
  await client.query({
    name: 'texts-defer-until',
    text: `update notifications set due_at = $2, held_by = $3
            where alert_id = $1 and status = 'waiting' and channel = 'sms'
              and (due_at, held_by) is distinct from ($2::timestamptz, $3::text)`,
    values: [alertId, until, heldBy],
  });
}

/** Defers the waiting texts of an alert, from now by the database's clock. */
export async function deferTexts(db: Queryable, alertId: number, ms: number): Promise<void> {
  await db.query({
    name: 'texts-defer',
    text: `update notifications set due_at = now() + $2 * interval '1 ms'
            where alert_id = $1 and status = 'waiting' and channel = 'sms'`,
    values: [alertId, ms],
  });
}

/** Records as 'sending' the text of a phone code, which its caller sends once the transaction has committed. @returns its id */
export async function writeCodeText(
  client: Client,
  { userId, phone, text }: { userId: number; phone: string; text: string },
): Promise<string> {
  const id = randomUUID();
  await client.query(`insert into texts (id, kind, user_id, to_phone, segments) values ($1, 'code', $2, $3, $4)`, [
    id,
    userId,
    phone,
    segments(text),
  ]);
  return id;
}

/** Inserts the text as 'sending'. From the commit on it is delivered at most once. */
async function writeText(client: Client, alert: TextedAlert, text: OutgoingText): Promise<void> {
  await client.query({
    name: 'texts-claim',
    text: `with text as (
         insert into texts (id, kind, user_id, alert_id, to_phone, segments, status)
         values ($1, 'match', $2, $3, $4, $5, 'sending')
       ), taken as (
         update notifications set status = 'sending', text_id = $1 where id = any($6::int8[])
       )
       update alerts set last_texted_at = now() where id = $3`,
    values: [text.id, alert.userId, alert.id, text.to, segments(text.text), text.notificationIds],
  });
}

async function claim(client: Client, parts: ClaimParts, alertId: number): Promise<ClaimedText | 'busy' | 'done'> {
  const validatedAtMs = performance.now();
  const alert = await lockTextedAlert(client, alertId);
  if (alert === 'busy') return 'busy';
  if (alert === 'off') {
    await dropWaiting(client, alertId);
    return 'done';
  }
  if (alert === 'rematching') {
    await deferTexts(client, alertId, REMATCHED_MS);
    return 'done';
  }
  const held = currentHold(alert.settings, alert.lockedAt);
  if (held) {
    await deferUntil(client, alertId, held);
    return 'done';
  }
  const { valid } = await revalidatePairs(client, () =>
    readWaitingPairs(client, new Map([[alertId, alert]]), 'sms', PAIRS_A_MESSAGE),
  );
  if (valid.length === 0) return 'done';
  const firstWaitingAt = new Date(Math.min(...valid.map(({ createdAt }) => createdAt.getTime())));
  const waiting = { firstWaitingAt, lastSentAt: alert.lastTextedAt, sentToday: 0 };
  const hold = holdOf(alert.settings, waiting, alert.lockedAt);
  if (hold) {
    await deferUntil(client, alertId, hold);
    return 'done';
  }
  const cap = monthlyTexts(alert.planId);
  const used = await readMonthsTexts(client, alert.userId);
  if (used + 1 >= cap) await notifyCapReached(client, alert, cap, parts.confirmEmail);
  if (used >= cap) {
    await dropWaiting(client, alertId);
    return 'done';
  }
  const cars = await readTextCars(
    client,
    valid.map(({ id }) => id),
  );
  const { name, place, phone, lastTextedAt } = alert;
  const text: OutgoingText = {
    id: randomUUID(),
    kind: 'match',
    to: phone,
    text: matchText({ alertName: name, alertPlace: place, alertUrl: `${parts.publicUrl}/alert/${alertId}`, cars }),
    alertId,
    matchIds: cars.map(({ listingId }) => `${listingId}:${alertId}`),
    notificationIds: valid.map(({ id }) => id),
  };
  await writeText(client, alert, text);
  return { id: text.id, userId: alert.userId, leasedAtMs: validatedAtMs, validatedAtMs, text, lastTextedAt };
}

/**
 * Claims the waiting rows of one alert, in one short transaction that locks the alert and its owner: it validates them and
 * their pairs, enforces the five minutes and the month's cap, and inserts the text as 'sending'. `busy`: another
 * transaction has locked the alert or its owner, so it is claimed later; `done`: nothing is sent now.
 */
export function claimText(parts: ClaimParts, alertId: number): Promise<ClaimedText | 'busy' | 'done'> {
  return inTransaction(parts.pool, (client) => claim(client, parts, alertId));
}
