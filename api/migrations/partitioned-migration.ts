import { OnlineMigration } from './online-migration.ts';

type PartitionedTable = 'matches' | 'notifications';

/** How long it may wait for a vacuum, which keeps nobody else waiting. */
const VACUUM_MS = 3_000;

/** SQL: the index that is to be the key of a partition. */
const builtOf = (part: string): string => `${part}_pkey_new`;

/** A migration of a table that is partitioned by its listings, whose partitions the clean-up changes meanwhile. */
export abstract class PartitionedMigration extends OnlineMigration {
  /**
   * Changes the table with all its partitions. A vacuum that the server began by itself ends for who waits a second for the first
   * lock, and nobody reads or writes under it.
   * @param sql statements of PL/pgSQL
   * @param declared variables of theirs
   */
  protected change(table: PartitionedTable, sql: string, declared = ''): void {
    this.addSql(/* sql */ `
      do $$ declare
        waits text := current_setting('lock_timeout');
        ${declared}
      begin
        set local lock_timeout = ${VACUUM_MS};
        lock table ${table} in share update exclusive mode;
        -- As a command, since servers of a cluster learn of these.
        execute format('set local lock_timeout = %L', waits);
        ${sql}
      end $$;`);
  }

  /**
   * Gives up the copy of what stays of old partitions that is being made, where one is, with what was noted of changes. It would
   * lack what the migration adds. None is begun, and so no partition is dropped, until the migration is at its end; the clean-up,
   * which takes this for a lock that it does not get, begins it again then. Only the clean-up waits for these locks.
   */
  protected endLeaving(table: PartitionedTable): void {
    this.addSql(/* sql */ `
      create or replace function refuse_leaving() returns trigger language plpgsql as $$
      begin
        raise lock_not_available using message = format('No partition of %s may leave while the table is migrated.', new.table_name);
      end $$;`);
    this.addPatientSql(/* sql */ `
      create or replace trigger refuse_leaving before insert on leaving_partitions for each row
        when (new.table_name = '${table}') execute function refuse_leaving();`);
    this.addPatientSql(/* sql */ `
      do $$ begin
        perform 1 from leaving_partitions where table_name = '${table}' for update;
        drop table if exists ${table}_kept;
        delete from leaving_partitions where table_name = '${table}';
      end $$;`);
    this.change(
      table,
      /* sql */ `
        for noting in select p.part from listing_partitions('${table}') p join pg_trigger t on t.tgrelid = p.part and t.tgname = 'leaving' loop
          execute format('drop trigger leaving on %s', noting.part);
        end loop;`,
      'noting record;',
    );
    this.addSql(`delete from leaving_changes where table_name = '${table}';`);
  }

  protected allowLeaving(): void {
    this.addPatientSql('drop trigger if exists refuse_leaving on leaving_partitions;');
    this.addSql('drop function if exists refuse_leaving();');
  }

  /**
   * Gives the primary key other columns. Each partition gets an index of them first, the last partition at the end, as most is
   * written to it. In a moment these indexes then become the keys of the partitions, and parts of the key of the table. If a
   * partition was added meanwhile, the migration begins again, which builds only what is missing. Statements that name the
   * constraint go on, prepared ones too; those that name its columns fail from then on.
   */
  protected async replacePartitionedKey(table: PartitionedTable, columns: string): Promise<void> {
    const definition = `PRIMARY KEY (${columns})`;
    this.endLeaving(table);
    // The partitions are read when none can leave any more.
    for (const sql of this.getQueries().splice(0)) await this.execute(String(sql));
    const parts = (await this.execute(/* sql */ `
      select p.part::text from listing_partitions('${table}') p join pg_constraint k on k.conrelid = p.part and k.contype = 'p'
       where pg_get_constraintdef(k.oid) <> '${definition}' order by p.upper_id`)) as { part: string }[];
    for (const { part } of parts) this.buildIndex(builtOf(part), `${part} (${columns})`, 'unique index');
    this.change(
      table,
      /* sql */ `
        lock table ${table} in access exclusive mode;
        if (select pg_get_constraintdef(oid) from pg_constraint where conrelid = '${table}'::regclass and contype = 'p') = '${definition}' then
          return;
        end if;
        select array_agg(p.part::text order by p.part), array_agg(k.conname order by p.part) into parts, keys
          from listing_partitions('${table}') p join pg_constraint k on k.conrelid = p.part and k.contype = 'p';
        if exists (select from unnest(parts) part where to_regclass(part || '${builtOf('')}') is null) then
          raise lock_not_available using message = 'A partition of ${table} was added meanwhile.';
        end if;
        alter table ${table} drop constraint ${table}_pkey;
        alter table only ${table} add constraint ${table}_pkey primary key (${columns});
        for at in 1 .. cardinality(parts) loop
          execute format('alter table %s add constraint %I primary key using index %I', parts[at], keys[at], parts[at] || '${builtOf('')}');
          execute format('alter index ${table}_pkey attach partition %I', keys[at]);
        end loop;`,
      `parts text[];
        keys text[];`,
    );
    this.allowLeaving();
  }
}
