import { OnlineMigration } from './online-migration.ts';

const WAITING = "where status in ('waiting', 'sending')";

/**
 * The indexes of a webhook's deliveries hold the user, whom statements name beside it, and all that is needed to choose a page or
 * to count. With both in a condition the planner expects few rows of a webhook: it read and sorted all of them by another index.
 */
export class Migration115LogOfDeliveries extends OnlineMigration {
  override up(): void {
    this.replaceIndex('webhook_deliveries_log', 'webhook_deliveries (webhook_id, user_id, id) include (tries, status)');
    this.replaceIndex(
      'webhook_deliveries_due',
      `webhook_deliveries (webhook_id, next_try_at) include (user_id) ${WAITING}`,
    );
  }

  override down(): void {
    this.replaceIndex('webhook_deliveries_log', 'webhook_deliveries (webhook_id, id)');
    this.replaceIndex('webhook_deliveries_due', `webhook_deliveries (webhook_id, next_try_at) ${WAITING}`);
  }
}
