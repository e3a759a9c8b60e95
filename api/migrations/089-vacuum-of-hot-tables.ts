import { OnlineMigration } from './online-migration.ts';

/** Shares of a table that change before it is vacuumed. The server's own, a fifth, is days of work of these tables. */
const settings = {
  updated: 'autovacuum_vacuum_scale_factor = 0.02, autovacuum_analyze_scale_factor = 0.05',
  inserted: 'autovacuum_vacuum_insert_scale_factor = 0.05, autovacuum_analyze_scale_factor = 0.05',
};
const parts = { matches: settings.inserted, notifications: settings.updated };
const UPDATED = ['listings', 'alerts', 'mails', 'texts', 'pushes', 'webhook_deliveries'];

/** Partitions that are made later take the settings of the last one. */
export class Migration089VacuumOfHotTables extends OnlineMigration {
  private ofPartitions(change: (table: keyof typeof parts) => string): void {
    for (const table of ['matches', 'notifications'] as const)
      this.addSql(/* sql */ `
        do $$ declare
          one regclass;
        begin
          for one in select part from listing_partitions('${table}') loop
            execute format('alter table %s ${change(table)}', one);
          end loop;
        end $$;`);
  }

  override up(): void {
    this.ofPartitions((table) => `set (${parts[table]})`);
    for (const table of UPDATED) this.addSql(`alter table ${table} set (${settings.updated});`);
  }

  override down(): void {
    const names = (text: string) => text.replaceAll(/ = [\d.]+/g, '');
    this.ofPartitions((table) => `reset (${names(parts[table])})`);
    for (const table of UPDATED) this.addSql(`alter table ${table} reset (${names(settings.updated)});`);
  }
}
