import { OnlineMigration } from './online-migration.ts';

/**
 * One index of what waits, by channel. The first one had no channel, so that the planner, which expects few rows of a new
 * table, read and sorted all that waits to find what is due next.
 */
export class Migration084WaitingByChannel extends OnlineMigration {
  override up(): void {
    this.replaceIndex('notifications_due', "notifications (channel, due_at) where status = 'waiting'");
    this.dropIndex('notifications_texts_due');
    this.dropIndex('notifications_pushes_due');
  }

  override down(): void {
    this.buildIndex('notifications_texts_due', "notifications (due_at) where status = 'waiting' and channel = 'sms'");
    this.buildIndex('notifications_pushes_due', "notifications (due_at) where status = 'waiting' and channel = 'push'");
    this.replaceIndex('notifications_due', "notifications (due_at) where status = 'waiting'");
  }
}
