/** A table with rows of persons. Each of its columns is exported or left out with a reason; a test looks. */
export interface PersonalTable {
  table: string;
  /** Which rows are a person's: a condition with the names of `theirRows`. */
  theirs: string;
  /** Which rows are theirs though no number says so. */
  unlinked?: string;
  /** By the column: its name in the export is the column's, or what the expression says. */
  exported: Readonly<Record<string, true | string>>;
  /** By the column: why the export leaves it out. */
  leftOut: Readonly<Record<string, string>>;
}

const derived = 'made from the alert, for the search';

/** Too many rows for an index of their users: they are found by their alerts. */
const ofTheirAlerts = 'alert_id = any (:alerts)';

/** In the order in which they can be erased. */
export const personalTables = {
  sessions: {
    table: 'session',
    theirs: "sess ->> 'userId' = (:user)::text",
    exported: { expire: `expire - interval '30 days' as "lastRenewedAt", expire as "expiresAt"` },
    leftOut: { sid: 'whoever has it is signed in', sess: 'the number of the user, and how the cookie is set' },
  },
  contactMessages: {
    table: 'contact_messages',
    theirs: 'user_id = :user',
    unlinked: 'user_id is null and (lower(email) = any (:names) or lower(btrim(name)) = any (:names))',
    exported: { id: true, name: true, email: true, subject: true, message: true, created_at: true },
    leftOut: { user_id: 'the same in every row' },
  },
  mails: {
    table: 'mails',
    theirs: `(${ofTheirAlerts} or alert_id is null and user_id = :user)`,
    unlinked: `alert_id is null and user_id is null and (kind <> 'contact' and lower(to_address) = any (:names)
      or kind = 'contact' and (lower(data ->> 'email') = any (:names) or lower(btrim(data ->> 'name')) = any (:names)))`,
    exported: {
      id: true,
      kind: true,
      subject: true,
      alert_id: true,
      to_address: 'to_address as "to"',
      data: `data - 'passwordMark' as data`,
      status: true,
      attempts: true,
      created_at: true,
      sent_at: true,
      error: true,
    },
    leftOut: {
      user_id: 'the same in every row',
      next_try_at: 'when the sender looks again',
      claimed_at: 'when the sender took it',
    },
  },
  notifications: {
    table: 'notifications',
    theirs: ofTheirAlerts,
    exported: {
      id: true,
      alert_id: true,
      listing_id: true,
      channel: true,
      kind: true,
      price: true,
      status: true,
      mail_id: true,
      created_at: true,
      due_at: true,
      settled_at: true,
    },
    leftOut: { user_id: 'the same in every row' },
  },
  matches: {
    table: 'matches',
    theirs: ofTheirAlerts,
    exported: {
      listing_id: true,
      alert_id: true,
      alert_version: true,
      distance_miles: true,
      not_stated: true,
      price: true,
      announced: true,
      matched_at: true,
    },
    leftOut: { tx: 'a number of the database, for the order of what is shown live' },
  },
  listingViews: {
    table: 'listing_views',
    theirs: 'user_id = :user',
    exported: { listing_id: true, viewed_at: true },
    leftOut: { user_id: 'the same in every row' },
  },
  idempotencyKeys: {
    table: 'idempotency_keys',
    theirs: 'user_id = :user',
    exported: { key: true, call: true, status: true, answer: true, created_at: true },
    leftOut: { user_id: 'the same in every row', body_hash: 'made from what was sent' },
  },
  webhookAttempts: {
    table: 'webhook_attempts',
    theirs: 'user_id = :user',
    exported: { id: true, delivery_id: true, at: true, status_code: true, ms: true, error: true, answer: true },
    leftOut: { user_id: 'the same in every row' },
  },
  webhookDeliveries: {
    table: 'webhook_deliveries',
    theirs: 'user_id = :user',
    exported: {
      id: true,
      message_id: true,
      webhook_id: true,
      event_id: true,
      status: true,
      tries: true,
      next_try_at: true,
      created_at: true,
      settled_at: true,
    },
    leftOut: {
      user_id: 'the same in every row',
      asked: 'whether it leaves while the webhook is paused',
      waiting_since: 'when it is given up',
    },
  },
  webhookEvents: {
    table: 'webhook_events',
    theirs: 'user_id = :user',
    exported: { id: true, type: true, data: true, created_at: true },
    leftOut: { user_id: 'the same in every row', subject: 'stands in the data' },
  },
  priceDrops: {
    table: 'price_drops',
    theirs: 'user_id = :user',
    exported: { id: true, alert_id: true, listing_id: true, price: true, price_before: true, created_at: true },
    leftOut: { user_id: 'the same in every row' },
  },
  webhookPositions: {
    table: 'webhook_positions',
    theirs: 'user_id = :user',
    exported: {},
    leftOut: {
      user_id: 'the same in every row',
      tx: 'how far the matches have been read',
      listing_id: 'how far the matches have been read',
      alert_id: 'how far the matches have been read',
    },
  },
  webhooks: {
    table: 'webhooks',
    theirs: 'user_id = :user',
    exported: {
      id: true,
      url: true,
      events: true,
      description: true,
      state: true,
      paused_because: true,
      paused_at: true,
      previous_until: true,
      failures_in_row: true,
      failing_since: true,
      created_at: true,
    },
    leftOut: {
      user_id: 'the same in every row',
      secret_box: 'a secret',
      previous_secret_box: 'a secret',
      rest_until: 'when it is tried again',
    },
  },
  apiKeys: {
    table: 'api_keys',
    theirs: 'user_id = :user',
    exported: {
      id: true,
      name: true,
      prefix: true,
      scopes: true,
      created_at: true,
      last_used_at: true,
      expires_at: true,
      revoked_at: true,
    },
    leftOut: {
      user_id: 'the same in every row',
      secret_hash: 'made from a secret',
      replaced_by: 'the number of another key in the list',
    },
  },
  apiUsage: {
    table: 'api_usage',
    theirs: 'user_id = :user',
    exported: { hour: true, ok: true, refused: true },
    leftOut: { user_id: 'the same in every row' },
  },
  apiAllowances: {
    table: 'api_allowances',
    theirs: 'user_id = :user',
    exported: {},
    leftOut: Object.fromEntries(
      ['user_id', 'window_ends_at', 'used', 'running', 'granted'].map((column) => [column, 'a counter of the hour']),
    ),
  },
  alertCells: {
    table: 'alert_cells',
    theirs: ofTheirAlerts,
    exported: {},
    leftOut: Object.fromEntries(
      [
        'key',
        'price_max',
        'alert_id',
        'alert_version',
        'user_id',
        'price_min',
        'year_min',
        'year_max',
        'color',
        'only_images',
        'announces',
        'x',
        'y',
        'z',
        'cos_radius',
        'expires_at',
      ].map((column) => [column, derived]),
    ),
  },
  alertPaces: {
    table: 'alert_paces',
    theirs: ofTheirAlerts,
    exported: {},
    leftOut: { alert_id: derived, last_mailed_at: 'stands in the alert' },
  },
  alerts: {
    table: 'alerts',
    theirs: 'user_id = :user',
    exported: {
      id: true,
      make: true,
      model: true,
      year_min: true,
      year_max: true,
      location: true,
      place: true,
      lat: true,
      lng: true,
      radius: true,
      price_min: true,
      price_max: true,
      color: `coalesce(color, 'any') as color`,
      only_with_images: true,
      email_notifications: true,
      text_notifications: true,
      is_active: true,
      version: true,
      last_mailed_at: true,
      reminded_at: true,
      created_at: true,
      expires_at: true,
    },
    leftOut: { user_id: 'the same in every row', pending_match: 'whether the search is yet to run' },
  },
  formerAlerts: {
    table: 'former_alerts',
    theirs: 'user_id = :user',
    exported: { alert_id: true },
    leftOut: { user_id: 'the same in every row' },
  },
  deletionRequests: {
    table: 'deletion_requests',
    theirs: 'user_id = :user',
    exported: {
      id: true,
      request_id: true,
      username: true,
      reason: true,
      notes: true,
      status: true,
      created_at: true,
      decided_at: true,
      completed_at: true,
    },
    leftOut: { user_id: 'the same in every row' },
  },
  profile: {
    table: 'users',
    theirs: 'id = :user',
    exported: {
      id: true,
      username: true,
      email: true,
      email_confirmed_at: true,
      phone: true,
      phone_confirmed_at: true,
      plan_id: true,
      time_zone: true,
      created_at: true,
      last_seen_at: true,
    },
    leftOut: { password_hash: 'a secret', username_key: 'the username in lower case' },
  },
} as const satisfies Readonly<Record<string, PersonalTable>>;
