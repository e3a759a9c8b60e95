import { PartitionedMigration } from './partitioned-migration.ts';

/** The key of notifications holds the user. It begins with the id, by which it still finds a row alone. */
export class Migration116UsersInKeysOfNotifications extends PartitionedMigration {
  override up(): Promise<void> {
    return this.replacePartitionedKey('notifications', 'id, listing_id, user_id');
  }

  override down(): Promise<void> {
    return this.replacePartitionedKey('notifications', 'id, listing_id');
  }
}
