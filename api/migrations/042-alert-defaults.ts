import { Migration } from '@mikro-orm/migrations';

/** How a user's new alerts notify; null until the user has chosen. */
export class Migration042AlertDefaults extends Migration {
  override up(): void {
    this.addSql('alter table users add alert_defaults jsonb;');
  }

  override down(): void {
    this.addSql('alter table users drop alert_defaults;');
  }
}
