import type { Queryable } from '../base/database.ts';
import { YEARS_COMPARABLE } from '../domain/prices/price-model.ts';
import type { Listing } from '../entities/listing.ts';

/** A car that is compared with another one. */
export interface ComparableCar {
  title: string;
  /** Whole US dollars. */
  price: number;
  /** Miles. */
  mileage: number;
  year: number;
}

/** Most cars that are read at once. */
export const MAX_COMPARABLE = 200;
const MAX_TITLE = 120;

/**
 * Reads the newest cars of the last 180 days that a listing's price is compared with: of the same model and at most four
 * model years apart, with a stated price and mileage, each car once and without the listing's own.
 */
export async function readComparableCars(
  db: Queryable,
  { id, carId, make, model, year }: Pick<Listing, 'id' | 'carId' | 'make' | 'model' | 'year'>,
  first: number,
): Promise<ComparableCar[]> {
  if (model == null || year == null) return [];
  const { rows } = await db.query<ComparableCar>({
    name: 'read-comparable-cars',
    text: `
      select title, price, mileage, year from (
        select distinct on (coalesce(n.car_id, n.id)) n.*
          from generate_series($3::int4 - ${YEARS_COMPARABLE}, $3::int4 + ${YEARS_COMPARABLE}) near (year)
         cross join lateral (
           select id, car_id, left(title, ${MAX_TITLE}) as title, price, mileage, year, seen_at from listings
            where make = $1 and model = $2 and listings.year = near.year::int2
              and seen_at > now() - interval '180 days'
              and price between 500 and 500000 and mileage is not null and id <> $4
              and car_id is distinct from $5::int8
            order by seen_at desc, id desc limit $6) n
         order by coalesce(n.car_id, n.id), n.seen_at desc) cars
       order by seen_at desc, id desc limit $6`,
    values: [make, model, year, id, carId ?? id, first],
  });
  return rows;
}
