import { OnlineMigration } from './online-migration.ts';

const syncThrottles = (update: string): string => /* sql */ `
  create or replace function sync_alert_throttles() returns trigger language plpgsql as $$
  begin
    if new.last_mailed_at is null then
      delete from alert_throttles where alert_id = new.id;
      return null;
    end if;
    update alert_throttles set ${update};
    if not found then
      insert into alert_throttles (alert_id, user_id, last_mailed_at)
      values (new.id, new.user_id, new.last_mailed_at) on conflict do nothing;
    end if;
    return null;
  end $$;`;

/**
 * The statements that change when an alert was last mailed copy it themselves. The trigger that copies what the version before
 * writes does not write the same row once more.
 */
export class Migration106ThrottlesByStatements extends OnlineMigration {
  override up(): void {
    this.addSql(
      syncThrottles(/* sql */ `last_mailed_at = new.last_mailed_at
     where alert_id = new.id and user_id = new.user_id and last_mailed_at <> new.last_mailed_at`),
    );
  }

  override down(): void {
    this.addSql(syncThrottles('last_mailed_at = new.last_mailed_at, user_id = new.user_id where alert_id = new.id'));
  }
}
