import { Migration } from '@mikro-orm/migrations';

/**
 * Web push: who wants it stands where the search finds the alert, the devices and what was sent to them have tables of their
 * own. The index of the search has room for one more flag without growing.
 */
export class Migration043WebPush extends Migration {
  private syncCells(flags: Readonly<Record<string, string>>): void {
    const columns = ['is_active', 'expires_at', ...Object.values(flags)];
    const changed = columns.map((column) => `old.${column} is distinct from new.${column}`).join(' or ');
    this.addSql(/* sql */ `
      create or replace function sync_alert_cells() returns trigger language plpgsql as $$
      begin
        update alert_cells
           set ${Object.entries(flags)
             .map(([cell, flag]) => `${cell} = new.${flag},\n               `)
             .join('')}expires_at = case when new.is_active then new.expires_at else '-infinity' end
         where alert_id = new.id;
        return null;
      end $$;
      drop trigger alert_cells_sync on alerts;
      create trigger alert_cells_sync after update of ${columns.join(', ')} on alerts
        for each row when (${changed}) execute function sync_alert_cells();
    `);
  }

  private indexCells(flags: string): void {
    this.addSql(/* sql */ `
      set local maintenance_work_mem = '256MB';
      create index alert_cells_search_with_flags on alert_cells (key, price_max)
        include (alert_id, alert_version, user_id, price_min, year_min, year_max, color, only_images, ${flags},
                 x, y, z, cos_radius, expires_at);
      drop index alert_cells_search;
      alter index alert_cells_search_with_flags rename to alert_cells_search;
    `);
  }

  override up(): void {
    this.addSql(/* sql */ `
      alter table alerts
        add push_notifications boolean not null default false,
        add last_pushed_at timestamptz;
      alter table alert_cells add pushes boolean not null default false;
    `);
    this.syncCells({ announces: 'email_notifications', texts: 'text_notifications', pushes: 'push_notifications' });
    this.indexCells('announces, texts, pushes');
    this.addSql(/* sql */ `
      create table vapid_keys (
        id int4 primary key default 1 check (id = 1),
        public_key text not null,
        private_ciphertext text not null,
        created_at timestamptz not null default now()
      );
      create table push_subscriptions (
        id int8 generated always as identity primary key,
        user_id int8 not null references users (id) on delete cascade,
        endpoint text not null unique,
        p256dh text not null,
        auth text not null,
        browser text,
        system text,
        created_at timestamptz not null default now(),
        last_success_at timestamptz,
        last_error text
      );
      create index push_subscriptions_user on push_subscriptions (user_id);
      create table pushes (
        id uuid primary key,
        user_id int8 not null,
        alert_id int8 not null,
        kind text not null check (kind in ('match', 'price_drop', 'digest', 'summary')),
        devices int8[] not null,
        status text not null default 'sending' check (status in ('waiting', 'sending', 'sent', 'failed', 'dropped')),
        attempts int4 not null default 1,
        error text,
        created_at timestamptz not null default now(),
        next_try_at timestamptz not null,
        sent_at timestamptz
      );
      create index pushes_alert on pushes (alert_id, created_at);
      create index pushes_open on pushes (next_try_at) where status in ('waiting', 'sending');

      alter table notifications add push_id uuid;
      alter table notifications drop constraint notifications_channel_check;
      alter table notifications add constraint notifications_channel_check check (channel in ('email', 'sms', 'push'));
      create index notifications_push on notifications (push_id) where push_id is not null;
      create index notifications_pushes_due on notifications (due_at) where status = 'waiting' and channel = 'push';
    `);
  }

  override down(): void {
    this.addSql(/* sql */ `
      delete from notifications where channel = 'push';
      alter table notifications drop constraint notifications_channel_check;
      alter table notifications add constraint notifications_channel_check check (channel in ('email', 'sms'));
      drop index notifications_pushes_due;
      alter table notifications drop push_id;
      drop table pushes, push_subscriptions, vapid_keys;
    `);
    this.syncCells({ announces: 'email_notifications', texts: 'text_notifications' });
    this.indexCells('announces, texts');
    this.addSql('alter table alert_cells drop pushes;');
    this.addSql('alter table alerts drop push_notifications, drop last_pushed_at;');
  }
}
