import { OnlineMigration } from './online-migration.ts';

const ofUser = 'push_subscriptions_user_id_endpoint_key';

/**
 * The keys of browsers that get push messages hold the user. That an address is of one user alone is also a key, which the
 * version before names; a next version drops it, as whoever adds an address removes it from other users.
 */
export class Migration114UsersInKeysOfBrowsers extends OnlineMigration {
  override up(): void {
    this.replaceKey('push_subscriptions', 'id, user_id');
    this.replaceKey('push_subscriptions', 'user_id, endpoint', { name: ofUser, kind: 'unique' });
    // The new key finds the browsers of a user too.
    this.dropIndex('push_subscriptions_user');
  }

  override down(): void {
    this.buildIndex('push_subscriptions_user', 'push_subscriptions (user_id)');
    this.addSql(`alter table push_subscriptions drop constraint if exists ${ofUser};`);
    this.replaceKey('push_subscriptions', 'id');
  }
}
