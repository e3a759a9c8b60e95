import { OnlineMigration } from './online-migration.ts';

/** What the providers report about mails and texts after they accepted them. */
export class Migration041DeliveryReports extends OnlineMigration {
  override up(): void {
    this.addSql(`alter table mails add column if not exists delivered_at timestamptz,
      add column if not exists delivery_error text;`);
    this.addSql('alter table texts add column if not exists delivered_at timestamptz;');
    this.addSql(`create table if not exists mail_events (
      id text primary key,
      mail_id uuid not null references mails (id) on delete cascade,
      kind text not null
        check (kind in ('delivered', 'deferred', 'blocked', 'bounced', 'dropped', 'complained', 'unsubscribed')),
      at timestamptz not null,
      reason text,
      received_at timestamptz not null default now()
    );`);
    this.addSql('create index if not exists mail_events_mail on mail_events (mail_id);');
    this.addSql('create index if not exists mail_events_received on mail_events (received_at);');
  }

  override down(): void {
    this.addSql('drop table mail_events;');
    this.addSql('alter table texts drop delivered_at;');
    this.addSql('alter table mails drop delivered_at, drop delivery_error;');
  }
}
