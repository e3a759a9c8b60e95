import { Migration } from '@mikro-orm/migrations';

/**
 * What is old is found by the day, so that noting that a listing was seen again changes no index but once a day.
 */
export class Migration024UnseenSince extends Migration {
  override up(): void {
    this.addSql(/* sql */ `
      set local maintenance_work_mem = '256MB';
      drop index listings_last_seen, listings_old;
      alter table listings add column unseen_since date
        generated always as ((greatest(last_seen_at, kept_at) at time zone 'UTC')::date) stored;
    `);
    this.addSql("create index listings_unseen on listings (unseen_since, id) where status = 'for_sale';");
    this.addSql("create index listings_old on listings (unseen_since, id) where status <> 'for_sale';");
  }

  override down(): void {
    throw new Error('The older index was written by every read.');
  }
}
