import type { Pool } from '../src/base/database.ts';
import type { ListingFacts } from '../src/domain/facts/listing-facts.ts';
import { storeListings } from '../src/intake/store-listings.ts';

/** Stores cars as one page of a source does. */
export const storePage = (pool: Pool, source: string, cars: readonly ListingFacts[], announce = true) =>
  storeListings(
    pool,
    source,
    cars.map((facts) => ({ facts })),
    { announce },
  );
