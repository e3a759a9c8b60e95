import { Migration } from '@mikro-orm/migrations';

/** A changed address waits in the account until it confirms itself; the one that it replaces can be put back for days. */
export class Migration035PendingEmails extends Migration {
  override up(): void {
    this.addSql('alter table users add column pending_email text;');
    this.addSql(/* sql */ `
      create table former_emails (
        id int8 generated always as identity primary key,
        user_id int8 not null,
        address text not null,
        left_at timestamptz not null default now()
      );
      create unique index former_emails_user on former_emails (user_id, lower(address));
      create index former_emails_left on former_emails (left_at);
    `);
  }

  override down(): void {
    this.addSql('drop table former_emails;');
    this.addSql('alter table users drop column pending_email;');
  }
}
