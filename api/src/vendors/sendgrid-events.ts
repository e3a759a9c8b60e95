import { createPublicKey, verify } from 'node:crypto';
import { z } from 'zod';
import { AppError } from '../base/errors.ts';
import { printable } from '../base/printable.ts';
import { SuppressionReason } from '../domain/suppression-reason.ts';
import type { MailEvent, MailEventKind } from './mail.ts';

/** SendGrid repeats a batch for 24 hours, perhaps as it was signed first. A replayed one changes nothing. */
const MAX_AGE_MS = 25 * 3_600_000;
/** How far SendGrid's clock may be ahead of ours. */
const MAX_AHEAD_MS = 5 * 60_000;
const MAX_REASON = 500;
/** 2100-01-01, in Unix seconds. */
const MAX_TIME = 4_102_444_800;

const eventSchema = z.object({
  event: z.string(),
  sg_event_id: z.string().min(1).max(200),
  timestamp: z.coerce.number().int().min(1).max(MAX_TIME),
  email: z.string().min(1).max(320),
  lotwatch_id: z.uuid(),
  type: z.string().optional().catch(undefined),
  reason: z.string().optional().catch(undefined),
  response: z.string().optional().catch(undefined),
});
type SendgridEvent = z.infer<typeof eventSchema>;

/**
 * Events of which LotWatch makes use. Source: SendGrid's Event Webhook Reference.
 * `group_unsubscribe` is about groups, which LotWatch does not use.
 */
const kinds: ReadonlyMap<string, MailEventKind> = new Map([
  ['delivered', 'delivered'],
  ['deferred', 'deferred'],
  ['bounce', 'bounced'],
  ['dropped', 'dropped'],
  ['spamreport', 'complained'],
  ['unsubscribe', 'unsubscribed'],
]);

/** Why SendGrid drops mails to an address on its own lists. Its other reasons are about the mail or our account. */
const drops: ReadonlyMap<string, SuppressionReason> = new Map([
  ['bounced address', SuppressionReason.bounced],
  ['invalid', SuppressionReason.bounced],
  ['spam reporting address', SuppressionReason.complained],
  ['unsubscribed address', SuppressionReason.unsubscribed],
]);

/** A bounce of the type `blocked` is about the sender or the moment, and the address may work the next time. */
function kindOf({ event, type }: SendgridEvent): MailEventKind | undefined {
  return event === 'bounce' && type === 'blocked' ? 'blocked' : kinds.get(event);
}

function suppressionOf(kind: MailEventKind, reason: string): SuppressionReason | null {
  if (kind === 'dropped') return drops.get(reason.trim().toLowerCase()) ?? null;
  return Object.values(SuppressionReason).find((one) => one === kind) ?? null;
}

function toMailEvent(item: unknown): MailEvent | null {
  const { data } = eventSchema.safeParse(item);
  const kind = data && kindOf(data);
  if (!kind) return null;
  const reason = data.reason ?? data.response ?? '';
  return {
    id: data.sg_event_id.replaceAll('\0', ''),
    mailId: data.lotwatch_id.toLowerCase(),
    kind,
    at: new Date(data.timestamp * 1000),
    address: data.email,
    reason: printable(reason).slice(0, MAX_REASON) || null,
    suppresses: suppressionOf(kind, reason),
  };
}

export interface SignedRequest {
  body: Buffer;
  /** Of the header X-Twilio-Email-Event-Webhook-Signature. */
  signature: string | undefined;
  /** Of the header X-Twilio-Email-Event-Webhook-Timestamp: Unix seconds. */
  timestamp: string | undefined;
}

/**
 * Whether a request may be SendGrid's by its headers alone: it has a signature, and a timestamp within the time in which
 * SendGrid repeats a batch.
 */
export function hasFreshSignature({ signature, timestamp }: Omit<SignedRequest, 'body'>, now: Date): boolean {
  if (!signature || !timestamp || !/^\d{1,12}$/.test(timestamp)) return false;
  const ageMs = now.getTime() - Number(timestamp) * 1000;
  return ageMs <= MAX_AGE_MS && ageMs >= -MAX_AHEAD_MS;
}

/** Whether SendGrid signed the timestamp and the body within the time in which it repeats a batch. */
export function isSendgridCall(publicKey: string, signed: SignedRequest, now: Date): boolean {
  const { body, signature = '', timestamp = '' } = signed;
  if (!hasFreshSignature(signed, now)) return false;
  const key = createPublicKey({ key: Buffer.from(publicKey, 'base64'), format: 'der', type: 'spki' });
  return verify('sha256', Buffer.concat([Buffer.from(timestamp), body]), key, Buffer.from(signature, 'base64'));
}

/**
 * Reads a batch of SendGrid's events. Unknown events, those of other senders and broken ones are left out.
 * @throws AppError MALFORMED when the body is no JSON array
 */
export function readSendgridEvents(body: Buffer): MailEvent[] {
  let items: unknown;
  try {
    items = JSON.parse(body.toString('utf8'));
  } catch {
    items = null;
  }
  if (!Array.isArray(items)) throw new AppError('MALFORMED', 'The body must be a JSON array of events.');
  return items.map(toMailEvent).filter((event) => event !== null);
}
