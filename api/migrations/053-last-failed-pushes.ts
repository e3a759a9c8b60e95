import { Migration } from '@mikro-orm/migrations';

/** A device that gets push messages knows when its push service last failed, as it may not have been called since. */
export class Migration053LastFailedPushes extends Migration {
  override up(): void {
    this.addSql('alter table push_subscriptions add column last_failed_at timestamptz;');
  }

  override down(): void {
    this.addSql('alter table push_subscriptions drop column last_failed_at;');
  }
}
