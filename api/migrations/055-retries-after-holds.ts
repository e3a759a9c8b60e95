import { OnlineMigration } from './online-migration.ts';

/** A message that a rule has held is tried again as if it were new: since when, and after how many attempts. */
export class Migration055RetriesAfterHolds extends OnlineMigration {
  override up(): void {
    for (const table of ['mails', 'pushes']) {
      this.addSql(`alter table ${table}
        add column if not exists retry_since timestamptz,
        add column if not exists attempts_before int4 not null default 0;`);
    }
  }

  override down(): void {
    for (const table of ['mails', 'pushes']) {
      this.addSql(`alter table ${table} drop column retry_since, drop column attempts_before;`);
    }
  }
}
