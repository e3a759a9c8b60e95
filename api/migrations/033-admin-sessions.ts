import { Migration } from '@mikro-orm/migrations';

/** The end that no writer of a session can move: of the admin's 12 hours from the sign-in, of all others 90 days. */
export class Migration033AdminSessions extends Migration {
  override up(): void {
    this.addSql(/* sql */ `
      create or replace function end_session_in_time() returns trigger language plpgsql as $$
      begin
        new.expire := least(new.expire, (new.created_at + case new.sess ->> 'userId' when '1' then interval '12 hours'
                                                                                  else interval '90 days' end)::timestamp);
        return new;
      end $$;
      update session set expire = least(expire, (now() + interval '30 minutes')::timestamp) where sess ->> 'userId' = '1';
    `);
  }

  override down(): void {
    this.addSql(/* sql */ `
      create or replace function end_session_in_time() returns trigger language plpgsql as $$
      begin
        new.expire := least(new.expire, (new.created_at + interval '90 days')::timestamp);
        return new;
      end $$;
    `);
  }
}
