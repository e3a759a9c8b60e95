import { Migration } from '@mikro-orm/migrations';

/** At 8 kB a page, some thousands of rows as long as a mail's, which take some 50 ms; ten times as many of the shortest rows. */
const PAGES_A_STEP = 200;

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
  private addPatientSql(sql: string): void {
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
   * Makes a column not null. What is written from then on must have a value. Rows that are there get theirs a few pages at a
   * time, each in a transaction of its own, so that no row stays locked for long; a check then proves it while the table is
   * written, so that no row is read under the lock.
   * @param value SQL: the value of a row `t` that has none
   */
  protected setNotNull(table: string, column: string, value: string): void {
    const proof = `${table}_${column}_proof`;
    this.addSql(`alter table ${table} drop constraint if exists ${proof},
      add constraint ${proof} check (${column} is not null) not valid;`);
    this.addSql(/* sql */ `
      do $$ begin
        for page in 0 .. pg_relation_size('${table}') / current_setting('block_size')::int8 by ${PAGES_A_STEP} loop
          update ${table} t set ${column} = ${value}
           where ctid >= format('(%s,0)', page)::tid and ctid < format('(%s,0)', page + ${PAGES_A_STEP})::tid and ${column} is null;
          commit;
        end loop;
      end $$;
    `);
    this.validate(table, proof);
    this.addSql(`alter table ${table} alter ${column} set not null;`);
    this.addSql(`alter table ${table} drop constraint ${proof};`);
  }
}
