import { OnlineMigration } from './online-migration.ts';

/** The user of a row `new` that the version before writes without one; what it writes of nobody that is there is skipped. */
const users: Readonly<Record<string, string>> = {
  alerts_to_trim: '(select a.user_id from alerts a where a.id = new.alert_id)',
  mail_events: '(select m.user_id from mails m where m.id = new.mail_id)',
  lost_messages: '0',
};

/**
 * Notes of alerts with too many matches, what the vendor reports of mails, and what a restored database has lost have their
 * user; 0 is nobody. A trigger completes what the version before writes without one.
 */
export class Migration108UsersOfRows extends OnlineMigration {
  override up(): void {
    for (const [table, user] of Object.entries(users)) {
      this.addSql(`alter table ${table} add column if not exists user_id int8;`);
      this.addSql(/* sql */ `
        create or replace function complete_${table}() returns trigger language plpgsql as $$
        begin
          new.user_id := ${user};
          if new.user_id is null then return null; end if;
          return new;
        end $$;`);
      this.addSql(/* sql */ `
        create or replace trigger complete_old before insert on ${table} for each row
          when (new.user_id is null) execute function complete_${table}();`);
    }
    // The next clean-up takes the notes of alerts that are gone.
    this.setNotNull(
      'alerts_to_trim',
      'user_id',
      'coalesce((select a.user_id from alerts a where a.id = t.alert_id), 0)',
    );
    this.setNotNull('mail_events', 'user_id', '(select m.user_id from mails m where m.id = t.mail_id)');
    this.setNotNull('lost_messages', 'user_id', '0');
  }

  override down(): void {
    for (const table of Object.keys(users)) {
      this.addSql(`drop trigger if exists complete_old on ${table};`);
      this.addSql(`drop function if exists complete_${table}();`);
    }
    this.addSql('alter table alerts_to_trim drop column if exists user_id;');
    this.addSql('alter table mail_events drop column if exists user_id;');
    this.addSql('alter table lost_messages alter user_id drop not null;');
    this.addSql('update lost_messages set user_id = null where user_id = 0;');
  }
}
