import { createHmac, randomBytes } from 'node:crypto';

/** The types of events that a webhook can subscribe to. */
export const webhookEventTypes = ['match.created', 'listing.price_dropped', 'alert.expiring'] as const;

type WebhookEventType = (typeof webhookEventTypes)[number];

/** Sent to one webhook when its owner tests it, whichever events it subscribes to. */
export const TEST_EVENT = 'webhook.test';

export const isWebhookEventType = (text: string): text is WebhookEventType =>
  (webhookEventTypes as readonly string[]).includes(text);

/** The limit of webhooks per user. */
export const MAX_WEBHOOKS = 10;

/** For how long after a rotation messages are signed with the old secret too. */
export const ROTATION_OVERLAP_HOURS = 24;

/** For how long a message waits that a webhook did not accept, or for which it is paused. */
export const MAX_WAITING_DAYS = 7;

/** For how long events and their deliveries are shown and can be resent. */
export const EVENT_RETENTION_DAYS = 30;

interface WebhookEvent {
  /** Rises with each event of a user. */
  cursor: number;
  type: string;
  happenedAt: Date;
  data: Record<string, unknown>;
}

/** The body that is posted: the same bytes at every attempt. */
export function messageBody({ cursor, type, happenedAt, data }: WebhookEvent): string {
  return JSON.stringify({ type, timestamp: happenedAt.toISOString(), data: { cursor, ...data } });
}

const PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** Generates a secret: `whsec_` and base64. */
export const newWebhookSecret = (): string => PREFIX + randomBytes(SECRET_BYTES).toString('base64');

interface SignedMessage {
  id: string;
  /** Seconds since 1970. */
  timestamp: number;
  body: string;
}

/**
 * The headers by which a receiver verifies a message, with one signature for each secret.
 * @param secrets `whsec_…`, the newest first; several during a rotation
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
