import { Migration } from '@mikro-orm/migrations';

/**
 * A device that gets push messages knows the session that added it, so that it gets none after that was ended, and since
 * when and how often its push service has not accepted anything. Devices that are there already have no session.
 */
export class Migration048PushDevices extends Migration {
  override up(): void {
    this.addSql(`alter table push_subscriptions
      add session_id int8,
      add failures int4 not null default 0,
      add failing_since timestamptz,
      add retry_at timestamptz;`);
    this.addSql('create index push_subscriptions_session on push_subscriptions (session_id);');
  }

  override down(): void {
    this.addSql(`alter table push_subscriptions
      drop session_id, drop failures, drop failing_since, drop retry_at;`);
  }
}
