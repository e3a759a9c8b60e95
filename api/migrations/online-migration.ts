import { Migration } from '@mikro-orm/migrations';

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
}
