import { OnlineMigration } from './online-migration.ts';

/** Each table to which others refer, with who refers to it by which column. */
const referenced: readonly (readonly [table: string, from: string, column: string])[] = [
  ['webhooks', 'webhook_deliveries', 'webhook_id'],
  ['webhook_events', 'webhook_deliveries', 'event_id'],
  ['webhook_deliveries', 'webhook_attempts', 'delivery_id'],
];

const ofUser = 'webhook_deliveries_user_id_webhook_id_event_id_key';

/**
 * The keys of webhooks, their events, deliveries and attempts hold the user, and so do the foreign keys between them. That a
 * webhook gets an event once is also a key by webhook and event, which the version before names; a next version drops it.
 */
export class Migration111UsersInKeysOfWebhooks extends OnlineMigration {
  override up(): void {
    for (const [table, from, column] of referenced)
      this.replaceReferencedKey(table, 'id, user_id', [{ from, by: `${column}, user_id`, before: column }]);
    this.replaceKey('webhook_attempts', 'id, user_id');
    this.replaceKey('webhook_deliveries', 'user_id, webhook_id, event_id', { name: ofUser, kind: 'unique' });
    // The new key finds the deliveries of a user too.
    this.dropIndex('webhook_deliveries_user');
  }

  override down(): void {
    this.buildIndex('webhook_deliveries_user', 'webhook_deliveries (user_id)');
    this.addSql(`alter table webhook_deliveries drop constraint if exists ${ofUser};`);
    this.replaceKey('webhook_attempts', 'id');
    for (const [table, from, column] of referenced.toReversed())
      this.replaceReferencedKey(table, 'id', [{ from, by: column, before: `${column}, user_id` }]);
  }
}
