/*
 * What else is to be said of where the rows of each table are once the tables are distributed by user. The product's list has
 * those that are not on one server.
 */

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
};

/** Keys without the user, by their table, with the reason. */
export const keysWithoutUser: Readonly<Record<string, string>> = {
  'push_subscriptions push_subscriptions_endpoint_key': 'the version before names its columns in a conflict',
  'webhook_deliveries webhook_deliveries_webhook_id_event_id_key': 'the version before names its columns in a conflict',
};
