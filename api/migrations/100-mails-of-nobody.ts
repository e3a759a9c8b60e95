import { OnlineMigration } from './online-migration.ts';

/** Mails of these kinds are written with their alert locked, whose user exists. All others are checked for their user. */
const checkUserWhere = (hasUser: string) => /* sql */ `
  create or replace trigger mails_need_user before insert on mails for each row
    when (${hasUser} and new.kind not in ('match', 'price_drop', 'digest', 'summary', 'sold', 'reminder'))
    execute function skip_without_user();`;

const deleteUserRows = (names = '', mails = '') => /* sql */ `
  create or replace function delete_user_rows() returns trigger language plpgsql as $$
  ${names}begin
    delete from shared_links where user_id = old.id;
    delete from listing_notes where user_id = old.id;
    delete from saved_listings where user_id = old.id;${mails}
    return null;
  end $$;`;

/** An old api looks for these among mails without a user, and finds none any more. */
const mailsOfNobody = /* sql */ `
    if old.email_confirmed_at is not null or not exists (select from users where lower(email) = lower(old.email)) then
      names := names || lower(btrim(old.email));
    end if;
    delete from mails
     where alert_id is null and user_id = 0
       and (kind <> 'contact' and lower(to_address) = any(names)
            or kind = 'contact' and (lower(data ->> 'email') = any(names) or lower(btrim(data ->> 'name')) = any(names)));`;

/**
 * Each mail has a user; 0 is nobody. What the version before writes without one gets 0, also where it updates an old row. Its
 * workers know a mail about the day's texts by its missing user, and would drop it: it waits until a new one takes it.
 */
export class Migration100MailsOfNobody extends OnlineMigration {
  override up(): void {
    this.addSql(checkUserWhere('new.user_id <> 0'));
    this.addSql(/* sql */ `
      create or replace function complete_old_mail() returns trigger language plpgsql as $$
      begin
        if new.user_id is null then new.user_id := 0; end if;
        if new.user_id = 0 and new.kind = 'text_limit' and new.status = 'dropped'
           and new.created_at > now() - interval '1 day' then
          new.status := 'waiting';
          new.next_try_at := now() + interval '1 minute';
        end if;
        return new;
      end $$;`);
    this.addSql(/* sql */ `
      create or replace trigger complete_old before insert or update on mails for each row
        when (new.user_id is null or new.user_id = 0 and new.kind = 'text_limit' and new.status = 'dropped')
        execute function complete_old_mail();`);
    this.addSql(deleteUserRows('declare names text[] := array[old.username_key];\n  ', mailsOfNobody));
    this.setNotNull('mails', 'user_id', '0');
  }

  override down(): void {
    this.addSql('alter table mails alter user_id drop not null;');
    this.addSql('drop trigger if exists complete_old on mails;');
    this.addSql('drop function if exists complete_old_mail();');
    this.addSql('update mails set user_id = null where user_id = 0;');
    this.addSql(deleteUserRows());
    this.addSql(checkUserWhere('new.user_id is not null'));
  }
}
