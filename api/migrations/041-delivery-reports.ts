import { Migration } from '@mikro-orm/migrations';

/** What the providers report about mails and texts after they accepted them. */
export class Migration041DeliveryReports extends Migration {
  override up(): void {
    this.addSql('alter table mails add delivered_at timestamptz, add delivery_error text;');
    this.addSql('alter table texts add delivered_at timestamptz;');
    this.addSql(`create table mail_events (
      id text primary key,
      mail_id uuid not null references mails (id) on delete cascade,
      kind text not null
        check (kind in ('delivered', 'deferred', 'blocked', 'bounced', 'dropped', 'complained', 'unsubscribed')),
      at timestamptz not null,
      reason text,
      received_at timestamptz not null default now()
    );`);
    this.addSql('create index mail_events_mail on mail_events (mail_id);');
    this.addSql('create index mail_events_received on mail_events (received_at);');
  }

  override down(): void {
    this.addSql('drop table mail_events;');
    this.addSql('alter table texts drop delivered_at;');
    this.addSql('alter table mails drop delivered_at, drop delivery_error;');
  }
}
