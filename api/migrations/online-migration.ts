import { Migration } from '@mikro-orm/migrations';

/** At 8 kB a page, a thousand rows as long as a mail's, or ten thousand of the shortest ones, which take some 200 ms. */
const PAGES_A_STEP = 100;
/** How long a step gives way, and how often: for some minutes. */
const PAUSE_SECONDS = 0.5;
const MOST_TRIES = 900;
const TOLD_EVERY = '10 seconds';

interface Key {
  /** That of the primary key unless given. */
  name?: string;
  kind?: 'primary key' | 'unique';
}

/** A foreign key. Columns are separated as in SQL. */
interface Reference {
  /** Its table. */
  from: string;
  /** Its columns from now on. */
  by: string;
  before: string;
}

/** The name that the server would give it. */
const foreignKeyName = (table: string, columns: string) => `${table}_${columns.replaceAll(', ', '_')}_fkey`;

/**
 * A migration of tables that the version before still reads and writes. Each of its statements is a transaction of its
 * own, so that no lock is held while the next one is waited for. Each can be run again: a migration that died, or that
 * waited too long for a lock, begins again.
 */
export abstract class OnlineMigration extends Migration {
  override isTransactional(): boolean {
    return false;
  }

  /** Adds a statement that nobody waits for, however long it takes: it may wait for its locks as long as it has to. */
  protected addPatientSql(sql: string): void {
    this.addSql('set lock_timeout = 0;');
    this.addSql(sql);
    this.addSql('reset lock_timeout;');
  }

  /**
   * Builds an index while its table is written. A build that died has left an invalid index, which is dropped first.
   * @param definition the table and columns, as after "on"
   */
  protected buildIndex(name: string, definition: string, kind: 'index' | 'unique index' = 'index'): void {
    this.addSql(/* sql */ `
      do $$ begin
        if exists (select from pg_index where indexrelid = to_regclass('${name}') and not indisvalid) then
          drop index ${name};
        end if;
      end $$;
    `);
    this.addSql("set maintenance_work_mem = '256MB';");
    this.addPatientSql(`create ${kind} concurrently if not exists ${name} on ${definition};`);
    this.addSql('reset maintenance_work_mem;');
  }

  protected dropIndex(name: string): void {
    this.addPatientSql(`drop index concurrently if exists ${name};`);
  }

  /** Puts an index in the place of another one that has the same name, which serves until then. */
  protected replaceIndex(name: string, definition: string): void {
    this.buildIndex(`${name}_new`, definition);
    this.dropIndex(name);
    this.addSql(`alter index if exists ${name}_new rename to ${name};`);
  }

  /**
   * Gives a key of a table other columns, of which an index is built first. Statements that name the constraint go on, prepared
   * ones too; those that name its columns fail from then on.
   */
  protected replaceKey(
    table: string,
    columns: string,
    { name = `${table}_pkey`, kind = 'primary key' }: Key = {},
  ): void {
    const built = `${name}_new`;
    this.buildIndex(built, `${table} (${columns})`, 'unique index');
    this.addSql(/* sql */ `
      do $$ begin
        if not exists (
          select from pg_constraint where conrelid = '${table}'::regclass and conname = '${name}'
             and pg_get_constraintdef(oid) = '${kind.toUpperCase()} (${columns})') then
          alter table ${table} drop constraint if exists ${name}, add constraint ${name} ${kind} using index ${built};
        end if;
      end $$;
    `);
    this.dropIndex(built);
  }

  /**
   * Does so for the primary key of a table to which others refer, whose rows go with those that they refer to. Their foreign
   * keys get as many columns.
   */
  protected replaceReferencedKey(table: string, columns: string, references: readonly Reference[]): void {
    this.buildIndex(`${table}_pkey_new`, `${table} (${columns})`, 'unique index');
    for (const { from, by, before } of references) {
      const name = foreignKeyName(from, by);
      this.addSql(`alter table ${from} drop constraint if exists ${name},
        add constraint ${name} foreign key (${by}) references ${table} (${columns}) on delete cascade not valid;`);
      this.validate(from, name);
      this.addSql(`alter table ${from} drop constraint if exists ${foreignKeyName(from, before)};`);
    }
    this.replaceKey(table, columns);
  }

  /** Replaces a check of a table. The rows that are there are read afterwards, while the table is written. */
  protected replaceCheck(table: string, name: string, condition: string): void {
    this.addSql(`alter table ${table} drop constraint if exists ${name},
      add constraint ${name} check (${condition}) not valid;`);
    this.validate(table, name);
  }

  /** Checks the rows that are there against a constraint that was added without reading them. */
  protected validate(table: string, constraint: string): void {
    this.addPatientSql(`alter table ${table} validate constraint ${constraint};`);
  }

  /**
   * Gives the rows that are there a value, a few pages at a time, each in a transaction of its own, so that no row stays locked
   * for long; of a partitioned table one partition after the other. A step that has to wait gives way to the others and is
   * repeated, and not the whole migration. What it has done is logged.
   * @param value SQL: the value of a row `t` that has none
   */
  protected fill(table: string, column: string, value: string): void {
    this.addSql(/* sql */ `
      do $$
      declare
        part_id oid;
        part text;
        filled oid[] := '{}';
        page int8;
        pages int8;
        tries int4;
        told_at timestamptz := clock_timestamp();
      begin
        loop
          select c.oid into part_id from pg_class c
           where c.relkind = 'r' and c.oid <> all (filled)
             and (c.oid = '${table}'::regclass or c.oid in (select inhrelid from pg_inherits where inhparent = '${table}'::regclass))
           order by c.oid limit 1;
          exit when not found;
          filled := filled || part_id;
          page := 0;
          pages := null;
          tries := 0;
          loop
            -- A partition may be dropped meanwhile, or get another name.
            select c.oid::regclass::text into part from pg_class c where c.oid = part_id;
            exit when part is null;
            begin
              pages := coalesce(pages, pg_relation_size(part_id) / current_setting('block_size')::int8);
              execute format('update %s t set ${column} = ${value.replaceAll('%', '%%').replaceAll("'", "''")} '
                               || 'where ctid >= %L::tid and ctid < %L::tid and ${column} is null',
                             part, format('(%s,0)', page), format('(%s,0)', page + ${PAGES_A_STEP}));
              page := page + ${PAGES_A_STEP};
              tries := 0;
            exception when lock_not_available or deadlock_detected or undefined_table then
              tries := tries + 1;
              if tries > ${MOST_TRIES} then raise; end if;
            end;
            commit;
            exit when page > pages;
            if tries > 0 then perform pg_sleep(${PAUSE_SECONDS}); end if;
            if clock_timestamp() > told_at + interval '${TOLD_EVERY}' then
              raise info '${column} of %: % of % pages', part, page, pages;
              told_at := clock_timestamp();
            end if;
          end loop;
        end loop;
      end $$;
    `);
  }

  /**
   * Makes a column not null. What is written from then on must have a value. Rows that are there get theirs (`fill`); a check
   * then proves it while the table is written, so that no row is read under the lock.
   * @param value SQL: the value of a row `t` that has none
   */
  protected setNotNull(table: string, column: string, value: string): void {
    const proof = `${table}_${column}_proof`;
    this.addSql(`alter table ${table} drop constraint if exists ${proof},
      add constraint ${proof} check (${column} is not null) not valid;`);
    this.fill(table, column, value);
    this.validate(table, proof);
    this.addSql(`alter table ${table} alter ${column} set not null;`);
    this.addSql(`alter table ${table} drop constraint ${proof};`);
  }
}
