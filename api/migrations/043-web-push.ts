import { OnlineMigration } from './online-migration.ts';

/**
 * Web push: who wants it stands where the search finds the alert, the devices and what was sent to them have tables of their
 * own. The index of the search has room for one more flag without growing.
 */
export class Migration043WebPush extends OnlineMigration {
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
    `);
    this.addSql(/* sql */ `
      create or replace trigger alert_cells_sync after update of ${columns.join(', ')} on alerts
        for each row when (${changed}) execute function sync_alert_cells();
    `);
  }

  private indexCells(flags: string): void {
    this.replaceIndex(
      'alert_cells_search',
      `alert_cells (key, price_max)
        include (alert_id, alert_version, user_id, price_min, year_min, year_max, color, only_images, ${flags},
                 x, y, z, cos_radius, expires_at)`,
    );
  }

  override up(): void {
    this.addSql(/* sql */ `
      alter table alerts
        add column if not exists push_notifications boolean not null default false,
        add column if not exists last_pushed_at timestamptz;
    `);
    this.addSql('alter table alert_cells add column if not exists pushes boolean not null default false;');
    this.syncCells({ announces: 'email_notifications', texts: 'text_notifications', pushes: 'push_notifications' });
    this.addSql(/* sql */ `
      create table if not exists vapid_keys (
        id int4 primary key default 1 check (id = 1),
        public_key text not null,
        private_ciphertext text not null,
        created_at timestamptz not null default now()
      );
      create table if not exists push_subscriptions (
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
      create index if not exists push_subscriptions_user on push_subscriptions (user_id);
      create table if not exists pushes (
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
      create index if not exists pushes_alert on pushes (alert_id, created_at);
      create index if not exists pushes_open on pushes (next_try_at) where status in ('waiting', 'sending');
    `);
    this.addSql('alter table notifications add column if not exists push_id uuid;');
    this.replaceCheck('notifications', 'notifications_channel_check', "channel in ('email', 'sms', 'push')");
    this.buildIndex('notifications_push', 'notifications (push_id) where push_id is not null');
    this.buildIndex('notifications_pushes_due', "notifications (due_at) where status = 'waiting' and channel = 'push'");
    // Last, since it would be built again if a later statement waited too long for its lock.
    this.indexCells('announces, texts, pushes');
  }

  override down(): void {
    this.addSql("delete from notifications where channel = 'push';");
    this.replaceCheck('notifications', 'notifications_channel_check', "channel in ('email', 'sms')");
    this.addSql(/* sql */ `
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
