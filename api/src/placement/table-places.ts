/*
 * Where the rows of each table are once the tables are distributed by user. Tables that are not named here are on one server,
 * the coordinator.
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
  'user_activity',
  'webhook_attempts',
  'webhook_deliveries',
  'webhook_events',
  'webhook_positions',
  'webhooks',
] as const;

/** On every server, since statements join them with rows of users. One comes after those to which it refers. */
export const copied = [
  'plans',
  'users',
  'listings',
  'listings_to_match',
  'price_changes',
  'sources',
  'suppressed_addresses',
  'text_stops',
] as const;

/** Where the rows of a table are, in a word. */
export const placeOf = (table: string): 'users' | 'copies' | 'coordinator' => {
  if ((byUser as readonly string[]).includes(table)) return 'users';
  return (copied as readonly string[]).includes(table) ? 'copies' : 'coordinator';
};

/** Every server has rows of its own, by which it counts the positions of its matches. */
export const ofEachServer = ['match_epochs', 'match_server'] as const;
