import { OnlineMigration } from './online-migration.ts';

/** The key of alerts holds the user. It begins with the id, by which most statements find an alert. */
export class Migration113UsersInKeysOfAlerts extends OnlineMigration {
  override up(): void {
    this.replaceKey('alerts', 'id, user_id');
  }

  override down(): void {
    this.replaceKey('alerts', 'id');
  }
}
