/** What webhooks can ask for. */
export const webhookEventTypes = ['match.created', 'listing.price_dropped', 'alert.expiring'] as const;

export type WebhookEventType = (typeof webhookEventTypes)[number];

/** Goes to one webhook when its owner asks, whatever else it asks for. */
export const TEST_EVENT = 'webhook.test';

export const isWebhookEventType = (text: string): text is WebhookEventType =>
  (webhookEventTypes as readonly string[]).includes(text);

/** Of one user. */
export const MAX_WEBHOOKS = 10;

/** After a rotation the old secret signs beside the new one for so long. */
export const ROTATION_OVERLAP_HOURS = 24;

/** What a webhook didn't take, or couldn't while it was paused, waits so long. */
export const KEPT_WAITING_DAYS = 7;

/** Events and their tries are shown, and can be sent again, for so long. */
export const KEPT_DAYS = 30;
