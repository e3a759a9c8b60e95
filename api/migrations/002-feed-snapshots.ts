import { Migration } from '@mikro-orm/migrations';

/** A feed is a snapshot: a car that two complete reads in a row don't show is gone. */
export class Migration002FeedSnapshots extends Migration {
  override up(): void {
    this.addSql(/* sql */ `
      alter table listings add column missed_reads int2 not null default 0;
      create index listings_missed on listings (source, id) where missed_reads > 0 and status in ('for_sale', 'pending');
    `);
  }

  override down(): void {
    this.addSql('alter table listings drop column missed_reads;');
  }
}
