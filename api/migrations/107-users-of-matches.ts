import { oldRowsFunctions } from './104-old-rows-of-partitions.ts';
import { OnlineMigration } from './online-migration.ts';

/** How long it may wait for a vacuum, which keeps nobody else waiting. */
const VACUUM_MS = 3_000;

/**
 * SQL: changes the table with all its partitions. A vacuum that the server began by itself ends for who waits a second for the
 * first lock, and nobody reads or writes under it.
 */
const change = (sql: string): string => /* sql */ `
  do $$ declare
    waits text := current_setting('lock_timeout');
    leaving record;
  begin
    set local lock_timeout = ${VACUUM_MS};
    lock table matches in share update exclusive mode;
    perform set_config('lock_timeout', waits, true);
    ${sql}
  end $$;`;

const PROOF = 'matches_user_id_proof';

/** An alert that was deleted by a version before migration 079 left nothing that knows its user: 0 is nobody. */
const userOf = (alertId: string): string => `coalesce(
  (select a.user_id from alerts a where a.id = ${alertId}), (select f.user_id from former_alerts f where f.alert_id = ${alertId}), 0)`;

/**
 * Each match has the user of its alert. What the version before writes without one is completed by a trigger, also where it
 * updates an old row. Rows of alerts that are gone, which wait for the clean-up, get the user who had the alert, or 0.
 */
export class Migration107UsersOfMatches extends OnlineMigration {
  override up(): void {
    this.endLeaving();
    this.addSql(/* sql */ `
      create or replace function complete_old_match() returns trigger language plpgsql as $$
      begin
        new.user_id := ${userOf('new.alert_id')};
        return new;
      end $$;`);
    this.addSql(
      change(`${dropLeavingTriggers}
    alter table matches add column if not exists user_id int8;
    create or replace trigger complete_old before insert or update on matches for each row
      when (new.user_id is null) execute function complete_old_match();`),
    );
    this.addSql(dropNotes);
    this.fill('matches', 'user_id', userOf('t.alert_id'));
    this.addSql(
      change(`alter table matches drop constraint if exists ${PROOF};
    alter table matches add constraint ${PROOF} check (user_id is not null) not valid;`),
    );
    this.validate('matches', PROOF);
    this.addSql(
      change(`alter table matches alter user_id set not null;
    alter table matches drop constraint ${PROOF};`),
    );
    for (const sql of oldRowsFunctions({ withUser: true })) this.addSql(sql);
    this.allowLeaving();
  }

  override down(): void {
    this.endLeaving();
    for (const sql of oldRowsFunctions({ withUser: false })) this.addSql(sql);
    this.addSql(
      change(`${dropLeavingTriggers}
    drop trigger if exists complete_old on matches;
    alter table matches drop column if exists user_id;`),
    );
    this.addSql(dropNotes);
    this.addSql('drop function if exists complete_old_match();');
    this.allowLeaving();
  }

  /**
   * Gives up the copy of what stays of old partitions that is being made, where one is. It would lack the column, and each row
   * that is filled would be noted as a change, and stay. None is begun until the migration is at its end; the clean-up, which
   * takes this for a lock that it does not get, begins it again then. Only the clean-up waits for these locks.
   */
  private endLeaving(): void {
    this.addSql(/* sql */ `
      create or replace function refuse_leaving() returns trigger language plpgsql as $$
      begin
        raise lock_not_available using message = 'No partition of matches may leave while the table is migrated.';
      end $$;`);
    this.addPatientSql(/* sql */ `
      create or replace trigger refuse_leaving before insert on leaving_partitions for each row
        when (new.table_name = 'matches') execute function refuse_leaving();`);
    this.addPatientSql(/* sql */ `
      do $$ begin
        perform 1 from leaving_partitions where table_name = 'matches' for update;
        drop table if exists matches_kept;
        delete from leaving_partitions where table_name = 'matches';
      end $$;`);
  }

  private allowLeaving(): void {
    this.addPatientSql('drop trigger if exists refuse_leaving on leaving_partitions;');
    this.addSql('drop function if exists refuse_leaving();');
  }
}

/** They note what changes of rows that are copied. */
const dropLeavingTriggers = `for leaving in select part from listing_partitions('matches') loop
      execute format('drop trigger if exists leaving on %s', leaving.part);
    end loop;`;
const dropNotes = "delete from leaving_changes where table_name = 'matches';";
