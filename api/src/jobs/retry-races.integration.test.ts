import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { makeTestDatabase, type TestDatabase } from '../../test/database.ts';
import { buildFacts } from '../../test/factories.ts';
import { storePage } from '../../test/store-page.ts';
import { type ListingFacts, rejected } from '../domain/facts/listing-facts.ts';
import { storeListings } from '../intake/store-listings.ts';
import { type RetryDeps, retryQuarantined } from './retry-quarantined.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await makeTestDatabase();
});
afterAll(() => db.close());
beforeEach(async () => {
  await db.pool.query('truncate listings, price_changes, quarantine, sources, source_hours restart identity');
  await db.pool.query("insert into sources (name, kind) values ('lot', 'push')");
});

const deps = (): RetryDeps => ({
  pool: db.pool,
  readAgain: (_reader, record) => ({ facts: { ...(JSON.parse(record) as ListingFacts), listedAt: null } }),
  now: () => new Date(),
});
const quarantineRecords = (cars: ListingFacts[]) =>
  storeListings(
    db.pool,
    'lot',
    cars.map((car) => rejected('items', car.externalId, 'UNKNOWN_MAKE', 'none', JSON.stringify(car))),
    { announce: true },
  );
const page = (cars: ListingFacts[]) => storePage(db.pool, 'lot', cars);
const rows = async (text: string) => (await db.pool.query(text)).rows;

it('many at once store each record once', async () => {
  await quarantineRecords(Array.from({ length: 300 }, () => buildFacts()));
  const results = await Promise.all(Array.from({ length: 8 }, () => retryQuarantined(deps(), {})));
  expect(results.reduce((sum, { tried }) => sum + tried, 0)).toBe(300);
  expect(results.reduce((sum, { accepted }) => sum + accepted, 0)).toBe(300);
  expect(await rows('select count(*)::int as listings from listings')).toEqual([{ listings: 300 }]);
  expect(await rows('select items::int from sources')).toEqual([{ items: 300 }]);
  expect(await rows('select id from quarantine')).toEqual([]);
});

it('one that breaks off has stored nothing, and the next stores all', async () => {
  await quarantineRecords(Array.from({ length: 5 }, () => buildFacts()));
  await db.pool.query(`
    create function break_off() returns trigger language plpgsql as $$ begin raise 'broken off'; end $$;
    create trigger break_off before delete on quarantine for each row when (old.id = 4) execute function break_off()`);
  await expect(retryQuarantined(deps(), {})).rejects.toThrow('broken off');
  expect(await rows('select id from listings')).toEqual([]);
  expect(await rows('select items::int from sources')).toEqual([{ items: 0 }]);
  await db.pool.query('drop function break_off cascade');
  expect(await retryQuarantined(deps(), {})).toMatchObject({ tried: 5, accepted: 5 });
});

it('never wins against a page that comes in at the same time with newer facts', async () => {
  for (let round = 0; round < 12; round++) {
    const cars = Array.from({ length: 40 }, () => buildFacts({ price: 20_000, listedAt: null }));
    const newer = cars.map((car) => ({ ...car, price: 18_000 }));
    // Every other round the listings are there already.
    if (round % 2 === 0) await page(cars.map((car) => ({ ...car, price: 21_000 })));
    await quarantineRecords(cars);
    await Promise.all([retryQuarantined(deps(), {}), page(newer), retryQuarantined(deps(), {})]);
    expect(await rows('select distinct price from listings')).toEqual([{ price: 18_000 }]);
    expect(await rows('select id from quarantine')).toEqual([]);
  }
}, 60_000);
