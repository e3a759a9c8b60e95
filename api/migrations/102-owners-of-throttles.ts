import { OnlineMigration } from './online-migration.ts';

const deleteAlertCopies = (ofOwner: string): string => /* sql */ `
  create or replace function delete_alert_copies() returns trigger language plpgsql as $$
  begin
    delete from alert_cells where alert_id = old.id${ofOwner};
    delete from alert_throttles where alert_id = old.id${ofOwner};
    delete from shared_links where alert_id = old.id${ofOwner};
    insert into former_alerts values (old.id, old.user_id) on conflict do nothing;
    return null;
  end $$;`;

/** Replaces the primary key by one of which the index was built before. It changes nothing where it has these columns. */
const replaceKey = (columns: number): string => /* sql */ `
  do $$ begin
    if (select indnatts from pg_index where indexrelid = 'alert_throttles_pkey'::regclass) <> ${columns} then
      alter table alert_throttles drop constraint alert_throttles_pkey,
        add constraint alert_throttles_pkey primary key using index alert_throttles_key;
    end if;
  end $$;`;

/**
 * The time of an alert's last mail has its user, as all that is copied of an alert. The trigger that writes it names no key,
 * so that it fits the old one and the new one; its alert is locked, so that no other writes the same row.
 */
export class Migration102OwnersOfThrottles extends OnlineMigration {
  override up(): void {
    this.addSql('alter table alert_throttles add column if not exists user_id int8;');
    this.addSql(/* sql */ `
      create or replace function sync_alert_throttles() returns trigger language plpgsql as $$
      begin
        if new.last_mailed_at is null then
          delete from alert_throttles where alert_id = new.id;
          return null;
        end if;
        update alert_throttles set last_mailed_at = new.last_mailed_at, user_id = new.user_id where alert_id = new.id;
        if not found then
          insert into alert_throttles (alert_id, user_id, last_mailed_at)
          values (new.id, new.user_id, new.last_mailed_at) on conflict do nothing;
        end if;
        return null;
      end $$;`);
    // Who has called the former function by now would write a row without the user, or name the former key.
    this.addSql('do $$ begin lock table alerts in share row exclusive mode; end $$;');
    this.addSql(/* sql */ `
      delete from alert_throttles t where user_id is null and not exists (select from alerts a where a.id = t.alert_id);`);
    this.setNotNull('alert_throttles', 'user_id', '(select a.user_id from alerts a where a.id = t.alert_id)');
    this.buildIndex('alert_throttles_key', 'alert_throttles (alert_id, user_id)', 'unique index');
    this.addSql(replaceKey(2));
    this.dropIndex('alert_throttles_key');
    this.addSql(deleteAlertCopies(' and user_id = old.user_id'));
  }

  override down(): void {
    this.addSql(deleteAlertCopies(''));
    this.buildIndex('alert_throttles_key', 'alert_throttles (alert_id)', 'unique index');
    this.addSql(replaceKey(1));
    this.dropIndex('alert_throttles_key');
    this.addSql('alter table alert_throttles alter user_id drop not null;');
    this.addSql(/* sql */ `
      create or replace function sync_alert_throttles() returns trigger language plpgsql as $$
      begin
        if new.last_mailed_at is null then
          delete from alert_throttles where alert_id = new.id;
        else
          insert into alert_throttles values (new.id, new.last_mailed_at)
          on conflict (alert_id) do update set last_mailed_at = excluded.last_mailed_at;
        end if;
        return null;
      end $$;`);
    this.addSql('alter table alert_throttles drop column if exists user_id;');
  }
}
