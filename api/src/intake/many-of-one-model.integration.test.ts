import { expect, it } from 'vitest';
import { setUpDatabase } from '../../test/database.ts';
import { buildFacts } from '../../test/factories.ts';
import { storeListings } from './store-listings.ts';

const db = setUpDatabase();

const alike = (count: number, from: number, make: string, model: string) =>
  Array.from({ length: count }, (_, index) => ({
    facts: buildFacts({ externalId: `${model}-${from + index}`, make, model, mileageMiles: null }),
  }));
const rowsRead = async () => {
  return (
    (
      await db.row(
        `select coalesce(sum(idx_tup_fetch + seq_tup_read), 0)::int as read
       from pg_stat_user_tables where relname = 'listings'`,
      )
    )?.read ?? 0
  );
};

it.each([
  ['of that model', 'toyota', 'camry'],
  ['of another model', 'honda', 'civic'],
])(
  'compares new listings %s with few of thousands of listings of the same model',
  async (_, make, model) => {
    await db.pool.query('truncate listings, listings_to_match');
    await storeListings(db.pool, 'lot', alike(1, 0, 'toyota', 'camry'), { announce: false });
    await db.pool.query(`
    insert into listings (source, external_id, status, title, make, model, year, make_key, model_key, facts_hash, x, y, z, lat, lng)
    select source, 'copy-' || i, status, title, make, model, year, make_key, model_key, facts_hash, x, y, z, lat, lng
      from listings cross join generate_series(1, 20000) i`);
    await db.pool.query('analyze listings');
    await db.pool.query('select pg_stat_force_next_flush()');
    const before = await rowsRead();
    const fresh = alike(40, 1, make, model);
    await storeListings(db.pool, 'other', fresh, { announce: false });
    await db.pool.query('select pg_stat_force_next_flush()');
    // Each is compared with 60 in each cell around it, not with 20,000.
    expect((await rowsRead()) - before).toBeLessThan(40 * 2000);
  },
  30_000,
);
