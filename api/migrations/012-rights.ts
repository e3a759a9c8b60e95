import { Migration } from '@mikro-orm/migrations';

/**
 * Deletion requests, what the admin did, and what lets a person's rows be found and keeps them from coming back: a row
 * of somebody whose account is erased meanwhile waits for that, and is then left out.
 */
export class Migration012Rights extends Migration {
  override up(): void {
    this.addSql(/* sql */ `
      create table deletion_requests (
        id int8 generated always as identity primary key,
        request_id text not null unique,
        user_id int8 not null,
        username text,
        reason text,
        notes text,
        status text not null default 'pending' check (status in ('pending', 'approved', 'rejected', 'completed')),
        created_at timestamptz not null default now(),
        decided_at timestamptz,
        completed_at timestamptz,
        check (status <> 'completed' or username is null and reason is null and notes is null)
      );
      create unique index deletion_requests_open on deletion_requests (user_id) where status in ('pending', 'approved');
      create index deletion_requests_user on deletion_requests (user_id);

      create table admin_acts (
        id int8 generated always as identity primary key,
        at timestamptz not null default now(),
        admin_id int8 not null,
        act text not null,
        subject text not null
      );
      create function stays_as_written() returns trigger language plpgsql as $$
      begin
        raise exception '% is append-only', tg_table_name;
      end $$;
      create trigger admin_acts_stay before update or delete or truncate on admin_acts
        for each statement execute function stays_as_written();
    `);
    this.addSql(/* sql */ `
      create table former_alerts (
        alert_id int8 primary key,
        user_id int8 not null
      );
      create index former_alerts_user on former_alerts (user_id);
      insert into former_alerts
      select distinct on (alert_id) alert_id, user_id
        from (select alert_id, user_id from notifications
              union all select alert_id, user_id from mails where alert_id is not null and user_id is not null) sent
       where not exists (select from alerts a where a.id = sent.alert_id)
       order by alert_id;

      create or replace function alert_leaves() returns trigger language plpgsql as $$
      begin
        delete from alert_cells where alert_id = old.id;
        delete from alert_paces where alert_id = old.id;
        insert into former_alerts values (old.id, old.user_id) on conflict do nothing;
        return null;
      end $$;

      alter table mails add column subject text;
      create index mails_without_alert on mails (user_id) where alert_id is null;
    `);
    // A match's mail and a reminder are written while their alert is held, which holds the account.
    this.addSql(/* sql */ `
      create function skip_without_user() returns trigger language plpgsql as $$
      begin
        perform from users where id = new.user_id for key share;
        if found then return new; end if;
        return null;
      end $$;
      create trigger mails_need_user before insert on mails for each row
        when (new.user_id is not null and new.kind not in ('match', 'reminder')) execute function skip_without_user();
      create trigger listing_views_need_user before insert on listing_views
        for each row execute function skip_without_user();

      create function skip_session_without_user() returns trigger language plpgsql as $$
      begin
        perform from users where id = (new.sess ->> 'userId')::int8 for key share;
        if found then return new; end if;
        return null;
      end $$;
      create trigger session_needs_user before insert on session for each row
        when (new.sess ->> 'userId' is not null) execute function skip_session_without_user();
    `);
  }

  override down(): void {
    throw new Error('What people asked for and the admin did is not forgotten.');
  }
}
