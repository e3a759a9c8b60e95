import { OnlineMigration } from './online-migration.ts';
import { partition, unpartition } from './partitioned-table.ts';

const indexes = {
  notifications_alert: '(alert_id, listing_id)',
  notifications_due: "(channel, due_at) where status = 'waiting'",
  notifications_mail: '(mail_id) where mail_id is not null',
  notifications_push: '(push_id) where push_id is not null',
  notifications_text: '(text_id) where text_id is not null',
};

/**
 * Notifications are partitioned by their listings, as matches are: what is asked of a pair reads one partition of each. Ids go
 * on where they were. A restored database keeps its trigger.
 */
export class Migration087PartitionedNotifications extends OnlineMigration {
  override up(): void {
    this.addSql(
      partition('notifications', {
        primaryKey: 'id, listing_id',
        indexes,
        before: /* sql */ `
          alter table notifications_1 drop constraint notifications_pkey,
            add constraint notifications_pkey primary key using index notifications_1_pkey;
          alter table notifications
            add constraint notifications_channel_check check (channel in ('email', 'sms', 'push')),
            add constraint notifications_kind_check check (kind in ('match', 'price_drop', 'sold')),
            add constraint notifications_status_check
              check (status in ('waiting', 'sending', 'sent', 'dropped', 'failed', 'unknown'));
          declare
            next int8 := nextval(pg_get_serial_sequence('notifications_1', 'id'));
          begin
            alter table notifications_1 alter id drop identity;
            execute format('alter table notifications alter id add generated always as identity (start with %s)', next);
          end;
          if exists (select from pg_trigger where tgrelid = 'notifications_1'::regclass and tgname = 'settle_lost') then
            drop trigger settle_lost on notifications_1;
            create trigger settle_lost before insert on notifications
              for each row execute function settle_lost_notification();
          end if;`,
      }),
    );
  }

  override down(): void {
    this.addSql(
      unpartition(
        'notifications',
        Object.keys(indexes),
        /* sql */ `
          do $$ begin
            execute format('alter table notifications alter id add generated always as identity (start with %s)',
                           (select coalesce(max(id), 0) + 1 from notifications));
          end $$;`,
      ),
    );
  }
}
