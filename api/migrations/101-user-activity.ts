import { OnlineMigration } from './online-migration.ts';

/**
 * Times of a user that change often leave `users`, which is to be copied to all servers of a distributed database. What the
 * version before writes to `users` counts as well. What it reads there is right where that matters: until when messages were
 * read, and in which month an account was last used, also where an operator goes back to that version.
 */
export class Migration101UserActivity extends OnlineMigration {
  override up(): void {
    this.addSql(/* sql */ `
      create table if not exists user_activity (
        user_id int8 primary key references users on delete cascade,
        last_seen_at timestamptz,
        notifications_read_at timestamptz
      ) with (fillfactor = 70);`);
    this.addSql(/* sql */ `
      create or replace function copy_user_activity() returns trigger language plpgsql as $$
      begin
        update users
           set last_seen_at = greatest(last_seen_at, new.last_seen_at),
               notifications_read_at = greatest(notifications_read_at, new.notifications_read_at)
         where id = new.user_id
           and (notifications_read_at < new.notifications_read_at
                or last_seen_at < new.last_seen_at - interval '1 month');
        return null;
      end $$;`);
    this.addSql(/* sql */ `
      create or replace trigger copy_user_activity after insert or update on user_activity
        for each row execute function copy_user_activity();`);
  }

  override down(): void {
    this.addSql(/* sql */ `
      update users u set last_seen_at = greatest(u.last_seen_at, a.last_seen_at) from user_activity a where a.user_id = u.id;`);
    this.addSql('drop table user_activity;');
    this.addSql('drop function copy_user_activity();');
  }
}
