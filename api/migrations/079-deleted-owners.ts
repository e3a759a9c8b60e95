import { OnlineMigration } from './online-migration.ts';

const deleteAlertCopies = (links: string): string => /* sql */ `
  create or replace function delete_alert_copies() returns trigger language plpgsql as $$
  begin
    delete from alert_cells where alert_id = old.id;
    delete from alert_throttles where alert_id = old.id;${links}
    insert into former_alerts values (old.id, old.user_id) on conflict do nothing;
    return null;
  end $$;`;

/**
 * Deletes what belongs to a deleted user or alert from tables that an old api doesn't know, which erases and deletes during
 * an upgrade as well.
 */
export class Migration079DeletedOwners extends OnlineMigration {
  override up(): void {
    this.addSql(
      deleteAlertCopies(`
    delete from shared_links where alert_id = old.id;`),
    );
    this.addSql(/* sql */ `
      create or replace function delete_user_rows() returns trigger language plpgsql as $$
      begin
        delete from shared_links where user_id = old.id;
        delete from listing_notes where user_id = old.id;
        delete from saved_listings where user_id = old.id;
        return null;
      end $$;
    `);
    this.addSql(`create or replace trigger user_deleted after delete on users
      for each row execute function delete_user_rows();`);
  }

  override down(): void {
    this.addSql('drop trigger user_deleted on users;');
    this.addSql('drop function delete_user_rows();');
    this.addSql(deleteAlertCopies(''));
  }
}
