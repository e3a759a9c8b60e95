import { Migration } from '@mikro-orm/migrations';

/** Which model of prices has given its bands to all listings. */
export class Migration052PriceBandUpdates extends Migration {
  override up(): void {
    this.addSql('alter table price_models add column bands_version int4 not null default 0;');
  }

  override down(): void {
    this.addSql('alter table price_models drop column bands_version;');
  }
}
