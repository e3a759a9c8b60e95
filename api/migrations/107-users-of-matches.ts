import { oldRowsFunctions } from './104-old-rows-of-partitions.ts';
import { PartitionedMigration } from './partitioned-migration.ts';

const PROOF = 'matches_user_id_proof';

/** An alert that was deleted by a version before migration 079 left nothing that knows its user: 0 is nobody. */
const userOf = (alertId: string): string => `coalesce(
  (select a.user_id from alerts a where a.id = ${alertId}), (select f.user_id from former_alerts f where f.alert_id = ${alertId}), 0)`;

/**
 * Each match has the user of its alert. What the version before writes without one is completed by a trigger, also where it
 * updates an old row. Rows of alerts that are gone, which wait for the clean-up, get the user who had the alert, or 0.
 */
export class Migration107UsersOfMatches extends PartitionedMigration {
  override up(): void {
    this.endLeaving('matches');
    this.addSql(/* sql */ `
      create or replace function complete_old_match() returns trigger language plpgsql as $$
      begin
        new.user_id := ${userOf('new.alert_id')};
        return new;
      end $$;`);
    this.change(
      'matches',
      `alter table matches add column if not exists user_id int8;
    create or replace trigger complete_old before insert or update on matches for each row
      when (new.user_id is null) execute function complete_old_match();`,
    );
    this.fill('matches', 'user_id', userOf('t.alert_id'));
    this.change(
      'matches',
      `alter table matches drop constraint if exists ${PROOF};
    alter table matches add constraint ${PROOF} check (user_id is not null) not valid;`,
    );
    this.validate('matches', PROOF);
    this.change(
      'matches',
      `alter table matches alter user_id set not null;
    alter table matches drop constraint ${PROOF};`,
    );
    for (const sql of oldRowsFunctions({ withUser: true })) this.addSql(sql);
    this.allowLeaving();
  }

  override down(): void {
    this.endLeaving('matches');
    for (const sql of oldRowsFunctions({ withUser: false })) this.addSql(sql);
    this.change(
      'matches',
      `drop trigger if exists complete_old on matches;
    alter table matches drop column if exists user_id;`,
    );
    this.addSql('drop function if exists complete_old_match();');
    this.allowLeaving();
  }
}
