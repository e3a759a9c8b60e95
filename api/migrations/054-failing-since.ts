import { Migration } from '@mikro-orm/migrations';

/** Since when every try to text about an alert has failed. */
export class Migration054FailingSince extends Migration {
  override up(): void {
    this.addSql('alter table alerts add column texts_failing_since timestamptz;');
  }

  override down(): void {
    this.addSql('alter table alerts drop column texts_failing_since;');
  }
}
