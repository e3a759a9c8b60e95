import { OnlineMigration } from './online-migration.ts';
import { partition, unpartition } from './partitioned-table.ts';

/** Old matches leave by dropping a partition. So far there is one, the table that was there, which takes every listing. */
export class Migration086PartitionedMatches extends OnlineMigration {
  override up(): void {
    // The key of partitioned notifications, which the next migration needs, has to contain what they are partitioned by.
    this.buildIndex('notifications_1_pkey', 'notifications (id, listing_id)', 'unique index');
    this.addSql(
      partition('matches', {
        primaryKey: 'listing_id, alert_id',
        indexes: { matches_alert: '(alert_id, position, listing_id)' },
      }),
    );
  }

  override down(): void {
    this.addSql(unpartition('matches', ['matches_alert']));
    this.dropIndex('notifications_1_pkey');
  }
}
