import { Migration } from '@mikro-orm/migrations';

/** How many segments were texted on a day, for the limit of the service. */
export class Migration046TextCounts extends Migration {
  override up(): void {
    this.addSql(`create table text_counts (
      day date not null,
      kind text not null check (kind in ('match', 'code')),
      segments int4 not null,
      limit_notified bool not null default false,
      primary key (day, kind)
    );`);
  }

  override down(): void {
    this.addSql('drop table text_counts;');
  }
}
