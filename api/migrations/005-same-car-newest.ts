import { Migration } from '@mikro-orm/migrations';

/**
 * The newest listings of a model and year lie together, by a time that no other index is ordered by: by id the planner
 * walked through the whole table where it took one model for most of it.
 */
export class Migration005SameCarNewest extends Migration {
  override up(): void {
    this.addSql(/* sql */ `
      drop index listings_same_car;
      create index listings_same_car on listings (model_key, year, seen_at, id) where model_key is not null and year is not null;
    `);
  }

  override down(): void {
    throw new Error('The older index was a trap.');
  }
}
