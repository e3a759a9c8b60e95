import { PartitionedMigration } from './partitioned-migration.ts';

/** The key of matches holds the user. It begins with the pair, by which it still finds a row alone. */
export class Migration117UsersInKeysOfMatches extends PartitionedMigration {
  override up(): Promise<void> {
    return this.replacePartitionedKey('matches', 'listing_id, alert_id, user_id');
  }

  override down(): Promise<void> {
    return this.replacePartitionedKey('matches', 'listing_id, alert_id');
  }
}
