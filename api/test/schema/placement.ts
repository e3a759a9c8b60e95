/*
 * Where the rows of each table are once the tables are distributed by user. Tables about nobody that are not named here are on
 * one server.
 */

/** With their user: each row has its user, whom every key and every foreign key between these tables holds. */
export const byUser = [
  'alert_cells',
  'alert_throttles',
  'alerts',
  'alerts_to_trim',
  'former_alerts',
  'listing_notes',
  'listing_views',
  'lost_messages',
  'mail_events',
  'mails',
  'matches',
  'notifications',
  'price_drops',
  'push_subscriptions',
  'pushes',
  'saved_listings',
  'texts',
  'webhook_attempts',
  'webhook_deliveries',
  'webhook_events',
  'webhook_positions',
  'webhooks',
] as const;

/** On every server, since statements join them with rows of users. */
export const copied = [
  'users',
  'plans',
  'listings',
  'price_changes',
  'sources',
  'suppressed_addresses',
  'text_stops',
] as const;

/** Every server has rows of its own, by which it counts the positions of its matches. */
export const ofEachServer = ['match_epochs', 'match_server'] as const;

/** On one server, and joined with rows of users nevertheless, by statements that several servers need in another form. */
export const joinedYet: Readonly<Record<string, string>> = {
  listings_to_match: 'claims in the room of placement, and explanations, ask what waits beside alerts and matches',
};

const ofAccount = 'joined with `users` alone';

/** On one server, though they are about users, with the reason. */
export const onOneServer: Readonly<Record<string, string>> = {
  api_allowances: ofAccount,
  api_keys: 'found by a prefix, which no other user has; joined with `users` alone',
  api_usage: ofAccount,
  billing_checkouts: "found by the payment page's id at Stripe",
  billing_customers: "found by the customer's number at Stripe",
  billing_events: 'found by the ids of Stripe',
  billing_leases: ofAccount,
  contact_messages: 'visitors write them too',
  deletion_requests: 'found by an id that no other user has; stays when the user is gone',
  former_emails: ofAccount,
  idempotency_keys: ofAccount,
  phone_codes: 'counted by number too',
  recovery_codes: ofAccount,
  second_factors: ofAccount,
  session: 'found by a secret; a package writes it',
  shared_links: 'found by a secret; joined with nothing of its user',
  user_activity: ofAccount,
};

/** Keys without the user, by their table, with the reason. */
export const keysWithoutUser: Readonly<Record<string, string>> = {
  'push_subscriptions push_subscriptions_endpoint_key': 'the version before names its columns in a conflict',
  'webhook_deliveries webhook_deliveries_webhook_id_event_id_key': 'the version before names its columns in a conflict',
};
