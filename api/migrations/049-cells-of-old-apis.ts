import { OnlineMigration } from './online-migration.ts';

/**
 * While a new version is rolled out, an api of the version before push messages still writes the cells of edited alerts, and
 * leaves out whether they push. The trigger can go with the release after the next.
 */
export class Migration049CellsOfOldApis extends OnlineMigration {
  override up(): void {
    this.addSql(/* sql */ `
      create or replace function copy_pushes() returns trigger language plpgsql as $$
      begin
        new.pushes := coalesce((select push_notifications from alerts where id = new.alert_id), false);
        return new;
      end $$;
    `);
    this.addSql(/* sql */ `
      create or replace trigger alert_cells_copy_pushes before insert on alert_cells
        for each row when (not new.pushes) execute function copy_pushes();
    `);
    // The checks of a database in which 047 ran when it did not read the rows that were there.
    this.validate('notifications', 'notifications_kind_check');
    this.validate('pushes', 'pushes_kind_check');
  }

  override down(): void {
    this.addSql('drop trigger alert_cells_copy_pushes on alert_cells;');
    this.addSql('drop function copy_pushes;');
  }
}
