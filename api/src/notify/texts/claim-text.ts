import { randomUUID } from 'node:crypto';
import { type Client, inTransaction, type Pool, type Queryable } from '../../base/database.ts';
import { monthlyTexts } from '../../domain/text-limits.ts';
import { mayLeaveAt } from '../../domain/throttle.ts';
import { segments } from '../../messages/texts/gsm.ts';
import { matchText } from '../../messages/texts.ts';
import type { OutgoingText } from '../../vendors/texts/text.ts';
import { keepFitting } from '../claim/keep-fitting.ts';
import { lookAtWaiting } from '../claim/look-at-pairs.ts';
import { REMATCHED_MS } from '../claim/put-aside.ts';
import { lockTextedAlert, type TextedAlert } from './lock-texted-alert.ts';
import { readTextCars } from './read-text-cars.ts';
import { readMonthsTexts, tellCapReached } from './text-cap.ts';

export interface ClaimedText {
  text: OutgoingText;
  /** When the alert's text before it left: a text that was not taken leaves the pace as it was. */
  lastTextedAt: Date | null;
}

/** `busy`: somebody else holds the alert or its owner, so look later; `done`: nothing of it leaves now. */
export type TextClaim = ClaimedText | 'busy' | 'done';

export interface ClaimParts {
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

async function putOffUntil(client: Client, alertId: number, until: Date): Promise<void> {
  await client.query({
    name: 'texts-put-off-until',
    text: `update notifications set due_at = $2 where alert_id = $1 and status = 'waiting' and channel = 'sms'`,
    values: [alertId, until],
  });
}

/** Lets what waits to be texted for an alert wait on, from now by the database's clock. */
export async function putOffText(db: Queryable, alertId: number, ms: number): Promise<void> {
  await db.query({
    name: 'texts-put-off',
    text: `update notifications set due_at = now() + $2 * interval '1 ms'
            where alert_id = $1 and status = 'waiting' and channel = 'sms'`,
    values: [alertId, ms],
  });
}

/** Writes the text as 'sending': from the commit on it is handed over once or never. */
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

async function claim(client: Client, parts: ClaimParts, alertId: number): Promise<TextClaim> {
  const alert = await lockTextedAlert(client, alertId);
  if (alert === 'busy') return 'busy';
  if (alert === 'off') {
    await dropWaiting(client, alertId);
    return 'done';
  }
  if (alert === 'rematching') {
    await putOffText(client, alertId, REMATCHED_MS);
    return 'done';
  }
  const { fitting } = await keepFitting(client, () => lookAtWaiting(client, new Map([[alertId, alert]]), 'sms'));
  if (fitting.length === 0) return 'done';
  const leaves = mayLeaveAt(
    new Date(Math.min(...fitting.map(({ createdAt }) => createdAt.getTime()))),
    alert.lastTextedAt,
  );
  if (leaves > alert.lookedAt) {
    await putOffUntil(client, alertId, leaves);
    return 'done';
  }
  const cap = monthlyTexts(alert.planId);
  const used = await readMonthsTexts(client, alert.userId);
  if (used + 1 >= cap) await tellCapReached(client, alert, cap, parts.confirmEmail);
  if (used >= cap) {
    await dropWaiting(client, alertId);
    return 'done';
  }
  const cars = await readTextCars(
    client,
    fitting.map(({ id }) => id),
  );
  const { name, place, phone, lastTextedAt } = alert;
  const text: OutgoingText = {
    id: randomUUID(),
    kind: 'match',
    to: phone,
    text: matchText({ alertName: name, alertPlace: place, alertUrl: `${parts.publicUrl}/alert/${alertId}`, cars }),
    alertId,
    matchIds: cars.map(({ listingId }) => `${listingId}:${alertId}`),
    notificationIds: fitting.map(({ id }) => id),
  };
  await writeText(client, alert, text);
  return { text, lastTextedAt };
}

/**
 * Claims what waits to be texted for one alert, in one short transaction that holds the alert and its owner: looks
 * again whether it may be sent, keeps to the pace and the month's cap, and writes the text as 'sending'.
 */
export function claimText(parts: ClaimParts, alertId: number): Promise<TextClaim> {
  return inTransaction(parts.pool, (client) => claim(client, parts, alertId));
}
