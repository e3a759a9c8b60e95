import type { Queryable } from '../../src/base/database.ts';

/*
 * What each trigger is for. Where the tables are distributed by user, a trigger runs on the server of its row. It can't use
 * other tables there, so that statements have to do what it does.
 */
export type Purpose =
  /** Completes, refuses or skips its own row, and needs nothing but that row. */
  | 'its row'
  /** As above, and is of a table that is not distributed, or asks `users`, which is copied to every server. */
  | 'an undistributed table'
  /** Does for versions before what the statements of this one do by themselves. A next version drops it. */
  | 'versions before';

/** By table and name. */
export const triggers: Readonly<Record<string, Purpose>> = {
  'alert_cells alert_cells_copy_pushes': 'versions before',
  'alert_cells alert_cells_refuse_without_filters': 'versions before',
  'alerts alert_cells_sync': 'versions before',
  'alerts alert_deleted': 'versions before',
  'alerts alert_throttles_sync': 'versions before',
  'alerts_to_trim complete_old': 'versions before',
  'api_keys api_keys_end': 'versions before',
  'api_usage api_usage_needs_user': 'versions before',
  'audit_log audit_log_append_only': 'an undistributed table',
  'listing_notes listing_notes_need_user': 'versions before',
  'listing_views listing_views_need_user': 'versions before',
  'lost_messages complete_old': 'versions before',
  'mail_events complete_old': 'versions before',
  'listings copy_mark': 'versions before',
  'listings copy_mark_of_new': 'versions before',
  'listings give_back_marks': 'versions before',
  'listings give_back_marks_with_new': 'versions before',
  'mails complete_old': 'versions before',
  'mails mails_need_user': 'versions before',
  'matches complete_old': 'versions before',
  'matches refuse_delete_by_place': 'versions before',
  'notifications refuse_delete_by_place': 'versions before',
  'saved_listings saved_listings_need_user': 'versions before',
  'session session_ends_in_time': 'its row',
  // The statement that inserts sessions is that of a package.
  'session session_needs_user': 'an undistributed table',
  'shared_links shared_links_need_user': 'versions before',
  'user_activity copy_user_activity': 'versions before',
  'users user_deleted': 'versions before',
  'users users_plan_notifies_keys': 'versions before',
  'webhook_events webhook_events_need_user': 'versions before',
  'webhook_positions webhook_positions_need_user': 'versions before',
};

/** Disables the triggers for versions before, so that a test sees what the statements do without them. */
export async function disableOldTriggers(db: Queryable): Promise<void> {
  // Distributed tables have none of them.
  if (process.env.CITUS_URL) return;
  for (const [trigger, purpose] of Object.entries(triggers)) {
    const [table, name] = trigger.split(' ');
    if (purpose === 'versions before') await db.query(`alter table ${table} disable trigger ${name}`);
  }
}
