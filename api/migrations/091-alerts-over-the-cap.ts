import { OnlineMigration } from './online-migration.ts';

/**
 * Notes alerts that have many matches already, by a sample of the pages of the table, so that it is not read as a whole. An
 * alert that the sample misses is noted with one of its next matches.
 */
export class Migration091AlertsOverTheCap extends OnlineMigration {
  override up(): void {
    this.addSql(/* sql */ `
      insert into alerts_to_trim (alert_id)
      select alert_id from matches tablesample system (2) group by alert_id having count(*) >= 10;
    `);
  }

  override down(): void {
    this.addSql('delete from alerts_to_trim;');
  }
}
