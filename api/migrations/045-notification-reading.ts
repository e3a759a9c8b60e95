import { OnlineMigration } from './online-migration.ts';

/** Up to when a user has read the log of notifications, and which notifications repeat an earlier one on request. */
export class Migration045NotificationReading extends OnlineMigration {
  override up(): void {
    this.addSql('alter table users add column if not exists notifications_read_at timestamptz not null default now();');
    this.addSql('alter table notifications add column if not exists resent boolean not null default false;');
  }

  override down(): void {
    this.addSql('alter table notifications drop resent;');
    this.addSql('alter table users drop notifications_read_at;');
  }
}
