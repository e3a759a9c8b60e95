import { Migration } from '@mikro-orm/migrations';

/** Whether a password was made by somebody else than its user, who is then asked for one of their own. */
export class Migration032FirstPassword extends Migration {
  override up(): void {
    this.addSql('alter table users add column must_change_password boolean not null default false;');
  }

  override down(): void {
    this.addSql('alter table users drop column must_change_password;');
  }
}
