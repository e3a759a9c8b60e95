import { OnlineMigration } from './online-migration.ts';

/**
 * A device that gets push messages knows the session that added it, so that it gets none after that was ended, and since
 * when and how often its push service has not accepted anything. Devices that are there already have no session.
 */
export class Migration048PushDevices extends OnlineMigration {
  override up(): void {
    this.addSql(`alter table push_subscriptions
      add column if not exists session_id int8,
      add column if not exists failures int4 not null default 0,
      add column if not exists failing_since timestamptz,
      add column if not exists retry_at timestamptz;`);
    this.buildIndex('push_subscriptions_session', 'push_subscriptions (session_id)');
  }

  override down(): void {
    this.addSql(`alter table push_subscriptions
      drop session_id, drop failures, drop failing_since, drop retry_at;`);
  }
}
