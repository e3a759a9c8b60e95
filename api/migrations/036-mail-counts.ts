import { Migration } from '@mikro-orm/migrations';

/** How many mails a mailbox got on a day, by kind: counted for all processes, and for whoever asks. */
export class Migration036MailCounts extends Migration {
  override up(): void {
    this.addSql(/* sql */ `
      create table mail_counts (
        day date not null,
        mailbox text not null,
        total int4 not null,
        of_kinds jsonb not null,
        primary key (day, mailbox)
      );
    `);
  }

  override down(): void {
    this.addSql('drop table mail_counts;');
  }
}
