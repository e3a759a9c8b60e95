import { randomUUID } from 'node:crypto';
import { type Client, inTransaction, type Pool } from '../../../base/database.ts';
import { hasHeld } from '../../../domain/delivery/departure.ts';
import type { DropRule } from '../../../domain/delivery/drop-rules.ts';
import { countryOf } from '../../../domain/phone-number.ts';
import { monthlyTexts } from '../../../domain/text-limits.ts';
import { countedTexts, mayBeTexted } from '../../../entities/notification-rules.ts';
import { endedCarsText, matchText, segments, type TextCar } from '../../../messages/texts.ts';
import type { OutgoingText } from '../../../vendors/texts/text.ts';
import type { Claim } from '../../adapter.ts';
import { beginClaim, type DueAlert } from '../../claim.ts';
import { enqueueMail } from '../../enqueue-mail.ts';
import { messageKind } from '../delivery-settings.ts';
import { lockAlertRows } from '../lock-alert-rows.ts';
import {
  type AlertRow,
  alertColumns,
  dropWaiting,
  type LockedAlert,
  lockedAlert,
  readLeavingPairs,
} from '../one-alert.ts';
import { readEndedCars } from '../read-ended-cars.ts';
import { countSegments, type TextRules } from './count-segments.ts';
import { endFailing } from './end-failing.ts';

/** A row of `texts` that this process has claimed: its status is 'sending'. */
export interface ClaimedText extends Claim {
  id: string;
  userId: number;
  text: OutgoingText;
  /** When the alert's previous text was sent, to restore the five minutes if this one is not accepted. */
  lastTextedAt: Date | null;
}

interface TextedAlert extends LockedAlert {
  /** E.164. */
  phone: string;
  planId: number;
  email: string | null;
  isEmailConfirmed: boolean;
  /** The month and cap for which the owner was notified. */
  capNotified: string | null;
  lastSentAt: Date | null;
  /** Since when every try has failed; null where the last one did not. */
  failingSince: Date | null;
}

type TextedRow = AlertRow &
  Omit<TextedAlert, keyof LockedAlert | 'phone'> & {
    phone: string | null;
    mayBeTexted: boolean;
  };

/** Locks an alert and its owner, so that no edit and no other text of that owner comes before the claim. */
async function lockTextedAlert(client: Client, due: DueAlert): Promise<TextedAlert | 'busy' | 'off' | 'rematching'> {
  const read = () =>
    client.query<TextedRow>({
      name: 'texts-read-alert',
      text: `select ${alertColumns('text_notifications')}, a.last_texted_at as "lastSentAt", a.texts_failing_since as "failingSince",
              ${mayBeTexted('u')} as "mayBeTexted",
              u.phone, u.plan_id as "planId", u.email, u.email_confirmed_at is not null as "isEmailConfirmed",
              u.text_cap_told as "capNotified"
         from alerts a join users u on u.id = a.user_id where a.id = $1 and a.user_id = $2`,
      values: [due.alertId, due.userId],
    });
  const { rows, busy } = await lockAlertRows(client, [due], read, true);
  const [row] = rows;
  if (!row) return busy.length > 0 ? 'busy' : 'off';
  const { phone, planId, email, isEmailConfirmed, capNotified, lastSentAt, failingSince } = row;
  if (!row.mayBeTexted || phone === null) return 'off';
  const alert = lockedAlert(row, 'sms');
  if (typeof alert === 'string') return alert;
  return { ...alert, phone, planId, email, isEmailConfirmed, capNotified, lastSentAt, failingSince };
}

/** Whether a rule has held texts since they fail, which no claim need have seen: the workers may have been stopped. */
const wasHeld = (alert: TextedAlert | 'off' | 'rematching'): boolean =>
  typeof alert !== 'string' &&
  alert.failingSince !== null &&
  hasHeld(alert.settings, alert.failingSince, alert.lockedAt);

interface TextedCar extends TextCar {
  listingId: number;
}

type CarRow = Omit<TextedCar, 'place'> & { city: string | null; state: string | null };

/** Reads the cars of these notifications, newest listing first; a car with two notifications occurs once. */
async function readTextCars(client: Client, userId: number, notificationIds: readonly number[]): Promise<TextedCar[]> {
  const { rows } = await client.query<CarRow>({
    name: 'texts-cars',
    text: `select l.id as "listingId", l.title, l.price, l.city, l.state, before.price as "priceBefore"
       from (select listing_id, bool_or(kind = 'price_drop') as dropped
               from notifications where id = any($1::int8[]) and user_id = $2 and kind <> 'sold' group by 1) n
       join listings l on l.id = n.listing_id
       left join lateral (
         select p.price from price_changes p where p.listing_id = l.id and p.price > l.price
          order by p.seen_at desc limit 1
       ) before on n.dropped
      order by coalesce(l.listed_at, l.seen_at) desc, l.id desc`,
    values: [notificationIds, userId],
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
  rules: TextRules;
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
         values ($1, $7, $2, $3, $4, $5, 'sending')
       ), taken as (
         update notifications set status = 'sending', text_id = $1 where id = any($6::int8[]) and user_id = $2
       )
       update alerts set last_texted_at = now() where id = $3 and user_id = $2`,
    values: [text.id, alert.userId, alert.id, text.to, segments(text.text), text.notificationIds, text.kind],
  });
}

async function claim(client: Client, parts: ClaimParts, due: DueAlert): Promise<ClaimedText | 'busy' | 'done'> {
  const { alertId } = due;
  const validatedAtMs = performance.now();
  const alert = await lockTextedAlert(client, due);
  if (alert === 'busy') return 'busy';
  const valid = await readLeavingPairs(client, 'sms', due, alert);
  if (valid === null || wasHeld(alert)) await endFailing(client, due);
  if (valid === null || typeof alert === 'string') return 'done';
  const dropped = async (by: DropRule) => {
    await dropWaiting(client, 'sms', due, by);
    return 'done' as const;
  };
  if (!parts.rules.countries.includes(countryOf(alert.phone) ?? '')) return dropped('country');
  const cap = monthlyTexts(alert.planId);
  const used = await readMonthsTexts(client, alert.userId);
  if (used >= cap) {
    await notifyCapReached(client, alert, cap, parts.confirmEmail);
    return dropped('monthly_limit');
  }
  const notificationIds = valid.map(({ id }) => id);
  const cars = await readTextCars(client, due.userId, notificationIds);
  const ended = (await readEndedCars(client, 'text', valid)).get('text');
  const { name, place, phone, lastSentAt } = alert;
  const alertUrl = `${parts.publicUrl}/alert/${alertId}`;
  const text: OutgoingText = {
    id: randomUUID(),
    kind: messageKind(alert.settings, valid),
    to: phone,
    text:
      cars.length > 0 || ended === undefined
        ? matchText({ alertName: name, alertPlace: place, alertUrl, cars, endedCars: ended?.count ?? 0 })
        : endedCarsText(ended.shown, ended.count, alertUrl),
    alertId,
    matchIds: cars.map(({ listingId }) => `${listingId}:${alertId}`),
    notificationIds,
  };
  if (!(await countSegments(client, 'match', segments(text.text), parts.rules))) return dropped('service_limit');
  await writeText(client, alert, text);
  if (used + 1 >= cap) await notifyCapReached(client, alert, cap, parts.confirmEmail);
  return {
    id: text.id,
    userId: alert.userId,
    leasedAtMs: validatedAtMs,
    validatedAtMs,
    text,
    lastTextedAt: lastSentAt,
  };
}

/**
 * Claims the waiting rows of one alert, in one short transaction that locks the alert and its owner: it validates them and
 * their pairs, enforces the five minutes, the countries, the month's cap and the service's limit, and inserts the text as
 * 'sending'. `busy`: another
 * transaction has locked the alert or its owner, so it is claimed later; `done`: nothing is sent now.
 */
export function claimText(parts: ClaimParts, due: DueAlert): Promise<ClaimedText | 'busy' | 'done'> {
  return inTransaction(parts.pool, (client) => claim(client, parts, due), beginClaim('sms'));
}
