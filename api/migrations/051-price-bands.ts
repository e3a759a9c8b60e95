import { Migration } from '@mikro-orm/migrations';

/** The model of asking prices, of which there is one, and what it says of each listing. */
export class Migration051PriceBands extends Migration {
  override up(): void {
    this.addSql(`create table price_models (
      id bool primary key default true check (id),
      version int4 not null default 0,
      model json,
      cars int4 not null default 0,
      fitted_at timestamptz,
      claimed_until timestamptz);`);
    this.addSql('insert into price_models default values;');
    this.addSql(`alter table listings add column band_low int4, add column band_middle int4, add column band_high int4,
      add column band_cars int4, add column band_refusal text;`);
  }

  override down(): void {
    this.addSql(`alter table listings drop column band_low, drop column band_middle, drop column band_high,
      drop column band_cars, drop column band_refusal;`);
    this.addSql('drop table price_models;');
  }
}
