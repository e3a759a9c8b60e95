import { OnlineMigration } from './online-migration.ts';

/** Which request or job run enqueued a row, so that the logs of its delivery can be found by the same id. */
export class Migration094RequestIds extends OnlineMigration {
  override up(): void {
    for (const table of ['mails', 'webhook_deliveries', 'billing_events'])
      this.addSql(`alter table ${table} add column if not exists request_id text;`);
  }

  override down(): void {
    for (const table of ['mails', 'webhook_deliveries', 'billing_events'])
      this.addSql(`alter table ${table} drop column request_id;`);
  }
}
