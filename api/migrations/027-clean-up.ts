import { Migration } from '@mikro-orm/migrations';

/** Where each step of the clean-up is in its walk and when it goes on; and an index for what waited too long. */
export class Migration027CleanUp extends Migration {
  override up(): void {
    this.addSql(/* sql */ `
      create table cleanup_positions (
        step text primary key,
        position text,
        due_at timestamptz not null default now(),
        updated_at timestamptz not null default now()
      );
      create index webhook_deliveries_waiting on webhook_deliveries (waiting_since) where status = 'waiting';
    `);
  }

  override down(): void {
    this.addSql('drop index webhook_deliveries_waiting; drop table cleanup_positions;');
  }
}
