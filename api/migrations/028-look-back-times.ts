import { Migration } from '@mikro-orm/migrations';

/** When an alert last asked for a look-back: a listing that came later is found by its own search, however late that runs. */
export class Migration028LookBackTimes extends Migration {
  override up(): void {
    this.addSql('alter table alerts add column look_back_asked_at timestamptz not null default now();');
  }

  override down(): void {
    this.addSql('alter table alerts drop column look_back_asked_at;');
  }
}
