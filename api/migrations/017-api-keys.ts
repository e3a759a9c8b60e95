import { Migration } from '@mikro-orm/migrations';

/**
 * API keys, what their accounts have used of the hour, and counts for the chart. Whatever ends a key tells the API
 * processes from here, so that no writer can forget to.
 */
export class Migration017ApiKeys extends Migration {
  override up(): void {
    this.addSql(/* sql */ `
      create table api_keys (
        id int8 generated always as identity primary key,
        user_id int8 not null references users (id),
        name text not null,
        prefix text not null unique,
        secret_hash bytea not null,
        scopes text[] not null,
        created_at timestamptz not null default now(),
        last_used_at timestamptz,
        replaced_by int8,
        expires_at timestamptz,
        revoked_at timestamptz
      );
      create index api_keys_user on api_keys (user_id);

      create table api_allowances (
        user_id int8 primary key,
        window_ends_at timestamptz not null default now(),
        used int4 not null default 0,
        running int8[] not null default '{}',
        granted int4 not null default 0
      ) with (fillfactor = 20);

      create table api_usage (
        user_id int8 not null,
        hour timestamptz not null,
        ok int4 not null default 0,
        refused int4 not null default 0,
        primary key (user_id, hour)
      );
      create index api_usage_hour on api_usage (hour);
      create trigger api_usage_needs_user before insert on api_usage
        for each row execute function skip_without_user();

      create function tell_keys_ended() returns trigger language plpgsql as $$
      begin
        perform pg_notify('lotwatch_keys', (case when tg_table_name = 'users' then to_jsonb(old) ->> 'id'
                                                 else to_jsonb(old) ->> 'user_id' end));
        return null;
      end $$;
      create trigger api_keys_end after update of revoked_at, expires_at or delete on api_keys
        for each row execute function tell_keys_ended();
      create trigger users_plan_tells_keys after update of plan_id on users
        for each row when (old.plan_id is distinct from new.plan_id) execute function tell_keys_ended();
    `);
  }

  override down(): void {
    this.addSql(/* sql */ `
      drop trigger users_plan_tells_keys on users;
      drop table api_usage;
      drop table api_allowances;
      drop table api_keys;
      drop function tell_keys_ended;
    `);
  }
}
