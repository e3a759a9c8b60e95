import { OnlineMigration } from './online-migration.ts';

/**
 * Who set a source up, a number that changes with its settings, by which two tabs notice each other, and when a file took
 * over a source that was made in the browser.
 */
export class Migration082SourceOrigins extends OnlineMigration {
  override up(): void {
    this.addSql("alter table sources add column if not exists origin text not null default 'settings';");
    this.addSql('alter table sources add column if not exists version int not null default 1;');
    this.addSql('alter table sources add column if not exists replaced_at timestamptz;');
    this.replaceCheck('sources', 'sources_origin_check', "origin in ('settings', 'browser')");
  }

  override down(): void {
    this.addSql('alter table sources drop column origin, drop column version, drop column replaced_at;');
  }
}
