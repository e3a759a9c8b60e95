import { Migration } from '@mikro-orm/migrations';

/** What people wrote with the contact form. A message leaves with its account. */
export class Migration013ContactMessages extends Migration {
  override up(): void {
    this.addSql(/* sql */ `
      create table contact_messages (
        id int8 generated always as identity primary key,
        user_id int8 references users (id) on delete cascade,
        name text not null,
        email text not null,
        subject text not null,
        message text not null,
        created_at timestamptz not null default now()
      );
      create index contact_messages_user on contact_messages (user_id);
      create index contact_messages_email on contact_messages (lower(email));
    `);
  }

  override down(): void {
    this.addSql('drop table contact_messages;');
  }
}
