import { Migration } from '@mikro-orm/migrations';

/**
 * Old listings leave. The index holds what is no longer for sale, so storing and matching cars never write it; what was
 * kept for its matches lies behind what nobody has looked at yet.
 */
export class Migration010OldListings extends Migration {
  override up(): void {
    this.addSql(/* sql */ `
      alter table listings add column kept_at timestamptz;
      create index listings_old on listings (greatest(last_seen_at, kept_at), id) where status <> 'for_sale';
      create index listing_views_listing on listing_views (listing_id);
    `);
  }

  override down(): void {
    throw new Error('What has left does not come back.');
  }
}
