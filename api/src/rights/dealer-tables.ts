import { owned, type PersonalTable, sameInAll } from './personal-table.ts';

/** The part of `personalTables` about webhooks and API keys. */
export const dealerTables = {
  webhookAttempts: {
    table: 'webhook_attempts',
    owned,
    exported: 'id delivery_id at status_code ms error answer',
    leftOut: sameInAll,
  },
  webhookDeliveries: {
    table: 'webhook_deliveries',
    owned,
    exported: 'id message_id webhook_id event_id status tries next_try_at created_at settled_at',
    leftOut: {
      ...sameInAll,
      'whether it is sent while the webhook is paused, and when it is dropped': 'resend_requested waiting_since',
      'by which it is found in the log': 'request_id',
    },
  },
  webhookEvents: {
    table: 'webhook_events',
    owned,
    exported: 'id type data created_at',
    leftOut: { ...sameInAll, 'part of the data': 'subject' },
  },
  priceDrops: {
    table: 'price_drops',
    owned,
    exported: 'id alert_id listing_id price price_before created_at',
    leftOut: sameInAll,
  },
  webhookPositions: {
    table: 'webhook_positions',
    owned,
    exported: '',
    leftOut: { ...sameInAll, 'how far the matches have been read': 'position listing_id alert_id' },
  },
  webhooks: {
    table: 'webhooks',
    owned,
    exported: `id url events description state paused_because paused_at previous_until failures_in_row failing_since
      created_at`,
    leftOut: {
      ...sameInAll,
      'a secret': 'secret_ciphertext previous_secret_ciphertext',
      'when it is tried again': 'backoff_until',
    },
  },
  apiKeys: {
    table: 'api_keys',
    owned,
    exported: 'id name prefix scopes created_at last_used_at expires_at revoked_at',
    leftOut: { ...sameInAll, 'a hash of a secret': 'secret_hash', 'the id of another key in the list': 'replaced_by' },
  },
  apiUsage: { table: 'api_usage', owned, exported: 'hour ok refused', leftOut: sameInAll },
  apiAllowances: {
    table: 'api_allowances',
    owned,
    exported: '',
    leftOut: { 'a counter of the hour': 'user_id window_ends_at used running granted' },
  },
} as const satisfies Readonly<Record<string, PersonalTable>>;
