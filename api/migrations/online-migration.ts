import { Migration } from '@mikro-orm/migrations';
import { fillColumn } from './fill-column.ts';

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
 * waited too long for a lock, begins again. They run where the tables are distributed, too. There an "alter table" may not add
 * a constraint beside other changes, and several statements are sent as such or in a block. A table that is to be distributed
 * loses the triggers that its migration makes.
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
      do $$
      declare
        is_built bool := false;
      begin
        if exists (select from pg_index where indexrelid = to_regclass('${name}') and not indisvalid) then
          -- A server of a cluster goes on building, and would keep all others waiting behind who drops it.
          if to_regclass('pg_dist_node') is not null then
            select bool_or(result <> '0') into is_built from run_command_on_all_nodes(
              'select count(*) from pg_stat_progress_create_index where datname = current_database()');
          end if;
          if is_built then raise lock_not_available using message = 'A server builds an index.'; end if;
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
          alter table ${table} drop constraint if exists ${name};
          alter table ${table} add constraint ${name} ${kind} using index ${built};
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
      this.replaceConstraint(from, name, `foreign key (${by}) references ${table} (${columns}) on delete cascade`);
      this.addSql(`alter table ${from} drop constraint if exists ${foreignKeyName(from, before)};`);
    }
    this.replaceKey(table, columns);
  }

  /** Replaces a check of a table. The rows that are there are read afterwards, while the table is written. */
  protected replaceCheck(table: string, name: string, condition: string): void {
    this.replaceConstraint(table, name, `check (${condition})`);
  }

  private replaceConstraint(table: string, name: string, definition: string): void {
    this.addUnread(table, name, definition);
    this.validate(table, name);
  }

  /** Puts a constraint in the place of one of its name, for what is written from then on. */
  private addUnread(table: string, name: string, definition: string): void {
    this.addSql(/* sql */ `
      do $$ begin
        alter table ${table} drop constraint if exists ${name};
        alter table ${table} add constraint ${name} ${definition} not valid;
      end $$;
    `);
  }

  /** Checks the rows that are there against a constraint that was added without reading them. */
  protected validate(table: string, constraint: string): void {
    this.addPatientSql(`alter table ${table} validate constraint ${constraint};`);
  }

  /**
   * Gives the rows that are there a value, a few at a time, each time in a transaction of its own, so that no row stays locked
   * for long. What it has done is logged.
   * @param value SQL: the value of a row `t` that has none; of a distributed table by what is in the row alone
   */
  protected fill(table: string, column: string, value: string): void {
    this.addSql(fillColumn(table, column, value));
  }

  /**
   * Makes a column not null. What is written from then on must have a value. Rows that are there get theirs (`fill`); a check
   * then proves it while the table is written, so that no row is read under the lock.
   * @param value SQL: the value of a row `t` that has none
   */
  protected setNotNull(table: string, column: string, value: string): void {
    const proof = `${table}_${column}_proof`;
    this.addUnread(table, proof, `check (${column} is not null)`);
    this.fill(table, column, value);
    this.validate(table, proof);
    this.addSql(`alter table ${table} alter ${column} set not null;`);
    this.addSql(`alter table ${table} drop constraint ${proof};`);
  }
}
