import { OnlineMigration } from './online-migration.ts';

/** The columns before the user. No table refers to these by a foreign key. */
const keys: Readonly<Record<string, string>> = {
  former_alerts: 'alert_id',
  price_drops: 'id',
  alerts_to_trim: 'id',
  texts: 'id',
  pushes: 'id',
  lost_messages: 'id',
};

/** Keys of tables that belong to users hold the user. They begin with the id, so that they still find a row by it alone. */
export class Migration109UsersInKeys extends OnlineMigration {
  override up(): void {
    for (const [table, id] of Object.entries(keys)) this.replaceKey(table, `${id}, user_id`);
  }

  override down(): void {
    for (const [table, id] of Object.entries(keys)) this.replaceKey(table, id);
  }
}
