import { Migration } from '@mikro-orm/migrations';

/**
 * What the list of one's devices shows, under an id that opens nothing, and the end that no writer of a session can move
 * beyond 90 days from the sign-in.
 */
export class Migration030Devices extends Migration {
  override up(): void {
    this.addSql(/* sql */ `
      alter table session
        add column id int8 generated always as identity unique,
        add column created_at timestamptz not null default now(),
        add column last_used_at timestamptz not null default now();
      update session set last_used_at = least(expire::timestamptz - interval '30 days', now());

      create function end_session_in_time() returns trigger language plpgsql as $$
      begin
        new.expire := least(new.expire, (new.created_at + interval '90 days')::timestamp);
        return new;
      end $$;
      create trigger session_ends_in_time before insert or update of expire, created_at on session
        for each row execute function end_session_in_time();
    `);
  }

  override down(): void {
    this.addSql(/* sql */ `
      drop trigger session_ends_in_time on session;
      drop function end_session_in_time();
      alter table session drop column id, drop column created_at, drop column last_used_at;
    `);
  }
}
