import { OnlineMigration } from './online-migration.ts';

/** Cars that buyers saved, and messages about saved and viewed cars that are sold. */
export class Migration047SavedListings extends OnlineMigration {
  /** Mails of these kinds are written with their alert locked, whose user exists. All others are checked for their user. */
  private checkUserOf(exempt: readonly string[]): void {
    this.addSql(`create or replace trigger mails_need_user before insert on mails for each row
      when (new.user_id is not null and new.kind not in (${exempt.map((kind) => `'${kind}'`).join(', ')}))
      execute function skip_without_user();`);
  }

  private allowKinds(table: 'notifications' | 'pushes', kinds: readonly string[]): void {
    this.replaceCheck(table, `${table}_kind_check`, `kind in (${kinds.map((kind) => `'${kind}'`).join(', ')})`);
  }

  override up(): void {
    this.addSql(`create table if not exists saved_listings (
      id int8 generated always as identity,
      user_id int8 not null,
      listing_id int8 not null,
      saved_at timestamptz not null default now(),
      primary key (user_id, listing_id));`);
    this.addSql('create index if not exists saved_listings_listing on saved_listings (listing_id);');
    this.addSql(`create or replace trigger saved_listings_need_user before insert on saved_listings
      for each row execute function skip_without_user();`);
    this.allowKinds('notifications', ['match', 'price_drop', 'sold']);
    this.allowKinds('pushes', ['match', 'price_drop', 'digest', 'summary', 'sold']);
    this.checkUserOf(['match', 'price_drop', 'digest', 'summary', 'sold', 'reminder']);
  }

  override down(): void {
    this.checkUserOf(['match', 'price_drop', 'digest', 'summary', 'reminder']);
    this.addSql("delete from notifications where kind = 'sold';");
    this.addSql("delete from pushes where kind = 'sold';");
    this.allowKinds('notifications', ['match', 'price_drop']);
    this.allowKinds('pushes', ['match', 'price_drop', 'digest', 'summary']);
    this.addSql('drop table saved_listings;');
  }
}
