import { createHmac, randomBytes } from 'node:crypto';

/** What webhooks can ask for. */
export const webhookEventTypes = ['match.created', 'listing.price_dropped', 'alert.expiring'] as const;

type WebhookEventType = (typeof webhookEventTypes)[number];

/** Goes to one webhook when its owner asks, whatever else it asks for. */
export const TEST_EVENT = 'webhook.test';

export const isWebhookEventType = (text: string): text is WebhookEventType =>
  (webhookEventTypes as readonly string[]).includes(text);

/** Of one user. */
export const MAX_WEBHOOKS = 10;

/** After a rotation the old secret signs beside the new one for so long. */
export const ROTATION_OVERLAP_HOURS = 24;

/** What a webhook didn't take, or couldn't while it was paused, waits so long. */
export const MAX_WAITING_DAYS = 7;

/** Events and their tries are shown, and can be sent again, for so long. */
export const EVENT_RETENTION_DAYS = 30;

interface ToldEvent {
  /** Grows from event to event of a user. */
  cursor: number;
  type: string;
  happenedAt: Date;
  data: Record<string, unknown>;
}

/** What is posted: the same bytes at every try. */
export function messageBody({ cursor, type, happenedAt, data }: ToldEvent): string {
  return JSON.stringify({ type, timestamp: happenedAt.toISOString(), data: { cursor, ...data } });
}

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** A new secret: `whsec_` and base64. */
export const newWebhookSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString('base64');

interface SignedMessage {
  id: string;
  /** Seconds since 1970. */
  timestamp: number;
  body: string;
}

/**
 * The headers that a receiver verifies; a signature for each secret, with a space between, while one replaces another.
 * @param secrets `whsec_…`, the newest first
 * Source: Standard Webhooks, https://www.standardwebhooks.com
 */
export function signMessage(
  { id, timestamp, body }: SignedMessage,
  secrets: readonly string[],
): Record<string, string> {
  const sign = (secret: string) =>
    createHmac('sha256', Buffer.from(secret.slice(PREFIX.length), 'base64'))
      .update(`${id}.${timestamp}.${body}`)
      .digest('base64');
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': secrets.map((secret) => `v1,${sign(secret)}`).join(' '),
  };
}
