import { OnlineMigration } from './online-migration.ts';

/** An alert keeps its newest matches, and what is needed to know that a match is missing because of that. */
export class Migration090CappedAlerts extends OnlineMigration {
  override up(): void {
    this.addSql('alter table alerts add column if not exists is_capped boolean not null default false;');
    this.addSql('alter table listings add column if not exists facts_before jsonb;');
    this.addSql(/* sql */ `
      create table if not exists alerts_to_trim (
        id bigint generated always as identity primary key,
        alert_id bigint not null
      );
    `);
  }

  override down(): void {
    this.addSql('drop table if exists alerts_to_trim;');
    this.addSql('alter table listings drop column if exists facts_before;');
    this.addSql('alter table alerts drop column if exists is_capped;');
  }
}
