import { Migration } from '@mikro-orm/migrations';

const names = [
  ['look-back', 'backfill-alerts'],
  ['settle-payments', 'process-payments'],
] as const;

/** Renames jobs in Agenda's table. A worker of the version before finds its jobs missing there and runs them by timers. */
export class Migration039JobNames extends Migration {
  private rename(from: string, to: string): void {
    this.addSql(`update agenda_jobs set name = '${to}'
                  where name = '${from}' and not exists (select from agenda_jobs where name = '${to}');`);
    this.addSql(`delete from agenda_jobs where name = '${from}';`);
  }

  override up(): void {
    for (const [from, to] of names) this.rename(from, to);
  }

  override down(): void {
    for (const [from, to] of names) this.rename(to, from);
  }
}
