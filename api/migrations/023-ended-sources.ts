import { Migration } from '@mikro-orm/migrations';

/**
 * Who ended a source. A row that is not polled and names nobody was ended by a version that ended whatever its settings
 * did not name; the next start that names it polls it again.
 */
export class Migration023EndedSources extends Migration {
  override up(): void {
    this.addSql("alter table sources add column ended_by text check (ended_by in ('operator', 'settings'));");
  }

  override down(): void {
    this.addSql('alter table sources drop column ended_by;');
  }
}
