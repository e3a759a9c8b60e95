import { Migration } from '@mikro-orm/migrations';

/** One car under several ids: found by its make, model, cell, year and mileage, by its VIN, or by its photo. */
export class Migration003SameCar extends Migration {
  override up(): void {
    this.addSql(/* sql */ `
      drop index listings_fingerprint;
      alter table listings drop column fingerprint, add column vin text, add column photo_hash bytea;
      create index listings_same_car on listings (model_key, year, mileage) where model_key is not null and year is not null;
      create index listings_vin on listings (vin) where vin is not null;

      create table car_candidates (
        listing_id int8 not null,
        other_id int8 not null,
        tries int2 not null default 0,
        next_try_at timestamptz not null default now(),
        primary key (listing_id, other_id)
      );
      create index car_candidates_due on car_candidates (next_try_at);
    `);
  }

  override down(): void {
    throw new Error('What was learnt about cars is not unlearnt.');
  }
}
