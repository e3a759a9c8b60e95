import { Migration } from '@mikro-orm/migrations';

/** Accounts that nobody uses are warned, and deleted 30 days later. */
export class Migration031IdleAccounts extends Migration {
  override up(): void {
    this.addSql('alter table users add column idle_warned_at timestamptz;');
    this.addSql('create index users_idle_warned on users (idle_warned_at) where idle_warned_at is not null;');
  }

  override down(): void {
    this.addSql('alter table users drop column idle_warned_at;');
  }
}
