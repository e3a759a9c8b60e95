import { Migration } from '@mikro-orm/migrations';

/** Up to when a user has read the log of notifications, and which notifications repeat an earlier one on request. */
export class Migration045NotificationReading extends Migration {
  override up(): void {
    this.addSql('alter table users add notifications_read_at timestamptz not null default now();');
    this.addSql('alter table notifications add resent boolean not null default false;');
  }

  override down(): void {
    this.addSql('alter table notifications drop resent;');
    this.addSql('alter table users drop notifications_read_at;');
  }
}
