import { OnlineMigration } from './online-migration.ts';

const TABLES = ['matches', 'notifications'] as const;

/**
 * The clean-up of versions before the partitions deletes rows by their ctid alone, which is unique in one partition: in two it
 * deletes rows of other alerts as well. Such a statement is refused, whether old workers run beside new ones or again. A
 * trigger of statements, whose condition is one comparison, costs other deletes some microseconds.
 */
export class Migration095DeletesByPlace extends OnlineMigration {
  override up(): void {
    this.addSql(/* sql */ `
      create or replace function refuse_delete_by_place() returns trigger language plpgsql as $$
      begin
        if (select count(*) from pg_inherits where inhparent = tg_relid) > 1 then
          raise object_not_in_prerequisite_state using
            message = format('rows of %s are not deleted by ctid alone, which several partitions have', tg_table_name),
            hint = 'This is the clean-up of a version before migration 086: end its workers. Nothing was deleted.';
        end if;
        return null;
      end $$;`);
    for (const table of TABLES)
      this.addSql(/* sql */ `
        create or replace trigger refuse_delete_by_place before delete on ${table} for each statement
          when (current_query() like '%where ctid = any(array(%') execute function refuse_delete_by_place();`);
  }

  override down(): void {
    for (const table of TABLES) this.addSql(`drop trigger if exists refuse_delete_by_place on ${table};`);
    this.addSql('drop function if exists refuse_delete_by_place();');
  }
}
