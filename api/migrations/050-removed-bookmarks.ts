import { OnlineMigration } from './online-migration.ts';

/** A saved car that is removed stays for a day, so that it can be saved again where no alert matches it any more. */
export class Migration050RemovedBookmarks extends OnlineMigration {
  override up(): void {
    this.addSql('alter table saved_listings add column if not exists removed_at timestamptz;');
    this.buildIndex('saved_listings_removed', 'saved_listings (removed_at) where removed_at is not null');
  }

  override down(): void {
    this.addSql('delete from saved_listings where removed_at is not null;');
    this.addSql('alter table saved_listings drop removed_at;');
  }
}
