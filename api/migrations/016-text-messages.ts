import { Migration } from '@mikro-orm/migrations';

/**
 * Text messages: who wants them stands where the search finds the alert, what was handed over in `texts`. The index
 * of the search has room for one more flag without growing.
 */
export class Migration016TextMessages extends Migration {
  override up(): void {
    this.addSql(/* sql */ `
      set local maintenance_work_mem = '256MB';

      alter table alert_cells add column texts bool not null default false;
      update alert_cells c set texts = true from alerts a where a.id = c.alert_id and a.text_notifications;
      drop index alert_cells_search;
    `);
    this.addSql(/* sql */ `
      create index alert_cells_search on alert_cells (key, price_max)
        include (alert_id, alert_version, user_id, price_min, year_min, year_max, color, only_images, announces, texts,
                 x, y, z, cos_radius, expires_at);
    `);
    this.addSql(/* sql */ `
      create or replace function alert_cells_follow() returns trigger language plpgsql as $$
      begin
        update alert_cells
           set announces = new.email_notifications,
               texts = new.text_notifications,
               expires_at = case when new.is_active then new.expires_at else '-infinity' end
         where alert_id = new.id;
        return null;
      end $$;
      drop trigger alert_cells_follow on alerts;
      create trigger alert_cells_follow
        after update of is_active, expires_at, email_notifications, text_notifications on alerts
        for each row when ((old.is_active, old.expires_at, old.email_notifications, old.text_notifications)
                           is distinct from
                           (new.is_active, new.expires_at, new.email_notifications, new.text_notifications))
        execute function alert_cells_follow();

      alter table alerts add column last_texted_at timestamptz;
      alter table users add column text_cap_told text;
      create index users_confirmed_phone on users (phone) where phone_confirmed_at is not null;

      create table texts (
        id uuid primary key,
        kind text not null check (kind in ('match', 'code')),
        user_id int8 not null,
        alert_id int8,
        to_phone text not null,
        status text not null default 'sending' check (status in ('sending', 'sent', 'failed', 'unknown')),
        segments int4,
        sid text,
        error text,
        delivery text,
        delivery_error text,
        created_at timestamptz not null default now(),
        sent_at timestamptz,
        settled_at timestamptz
      );
      create index texts_user on texts (user_id, created_at);
      create index texts_open on texts (created_at) where status in ('sending', 'unknown');

      alter table notifications add column text_id uuid;
      create index notifications_text on notifications (text_id) where text_id is not null;
      create index notifications_texts_due on notifications (due_at) where status = 'waiting' and channel = 'sms';

      create table phone_codes (
        id int8 generated always as identity primary key,
        user_id int8 not null references users (id) on delete cascade,
        phone text not null,
        code_hash bytea not null,
        guesses int4 not null default 0,
        created_at timestamptz not null default now(),
        expires_at timestamptz not null default now() + interval '10 minutes',
        used_at timestamptz
      );
      create index phone_codes_user on phone_codes (user_id, created_at);
      create index phone_codes_phone on phone_codes (phone, created_at);

      create table text_stops (
        phone text primary key,
        stopped_at timestamptz not null default now()
      );
    `);
  }

  override down(): void {
    throw new Error('What was texted is not forgotten: restore a backup instead.');
  }
}
