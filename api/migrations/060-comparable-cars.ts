import { OnlineMigration } from './online-migration.ts';

/**
 * Finds the newest cars of a model and model year, wherever they are, and those with the same mileage. Up to which listing
 * photos were looked for elsewhere; those that are there already are not looked for.
 */
export class Migration060ComparableCars extends OnlineMigration {
  override up(): void {
    this.buildIndex(
      'listings_comparable',
      'listings (make, model, year, seen_at, id) include (mileage) where model is not null and year is not null',
    );
    this.addSql(
      'create table if not exists photo_searches (id bool primary key default true check (id), listing_id int8 not null);',
    );
    this.addSql(
      `insert into photo_searches (listing_id) select coalesce(max(id), 0) from listings on conflict do nothing;`,
    );
  }

  override down(): void {
    this.addSql('drop table photo_searches;');
    this.addSql('drop index listings_comparable;');
  }
}
