import { Migration } from '@mikro-orm/migrations';

/** A webhook's deliveries are read newest first, a page of months of them. */
export class Migration019WebhookLog extends Migration {
  override up(): void {
    this.addSql('create index webhook_deliveries_log on webhook_deliveries (webhook_id, id);');
  }

  override down(): void {
    this.addSql('drop index webhook_deliveries_log;');
  }
}
