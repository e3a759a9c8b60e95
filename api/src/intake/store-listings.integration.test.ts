import { beforeEach, describe, expect, it } from 'vitest';
import { setUpDatabase } from '../../test/database.ts';
import { buildFacts, storePage } from '../../test/factories.ts';
import { hasNews, unmarkListings } from '../../test/matching/listing-marks.ts';
import { type ListingFacts, ListingStatus } from '../domain/facts/listing-facts.ts';
import { storeListings } from './store-listings.ts';

const db = setUpDatabase();
beforeEach(async () => {
  await db.pool.query('truncate listings, listings_to_match, price_changes, quarantine, sources restart identity');
  await db.pool.query("insert into sources (name, kind) values ('lot', 'push')");
});

const store = (facts: ListingFacts[], announce = true) => storePage(db.pool, 'lot', facts, announce);
const listing = async (id: number) =>
  await db.row(`select *, ${hasNews('id')} as waits from listings where id = $1`, [id]);
const statuses = (result: Awaited<ReturnType<typeof store>>) => result.results.map((one) => one.status);

describe('a listing', () => {
  it('is accepted, then unchanged, then updated with a price history', async () => {
    const facts = buildFacts({ price: 20_000 });
    const first = await store([facts]);
    const id = first.results[0]?.listingId ?? 0;
    expect(await listing(id)).toMatchObject({ waits: true, price: 20_000, image_url: facts.images[0] });
    await unmarkListings(db.pool);

    expect(statuses(await store([facts]))).toEqual(['unchanged']);
    expect((await listing(id)).waits).toBe(false);

    const cheaper = await store([{ ...facts, price: 18_000 }]);
    expect(cheaper.results[0]).toMatchObject({ status: 'updated', listingId: id });
    await store([{ ...facts, price: 17_000 }]);
    expect(await listing(id)).toMatchObject({ waits: true, price: 17_000 });
    const rows = await db.rows('select price from price_changes where listing_id = $1 order by seen_at', [id]);
    expect(rows.map((row) => row.price)).toEqual([20_000, 18_000, 17_000]);
  });

  it('is removed from matching when it is sold, and added when it is for sale again', async () => {
    const facts = buildFacts();
    await store([facts]);
    await store([{ ...facts, status: ListingStatus.sold }]);
    expect(await listing(1)).toMatchObject({ status: 'sold', waits: false });
    await store([facts]);
    expect(await listing(1)).toMatchObject({ status: 'for_sale', waits: true });
  });

  it('is compared with its earlier record when a page has its id twice', async () => {
    const facts = buildFacts();
    const result = await store([facts, facts, { ...facts, price: 9000 }]);
    expect(statuses(result)).toEqual(['accepted', 'unchanged', 'updated']);
    expect(new Set(result.results.map((one) => one.listingId)).size).toBe(1);
    expect((await listing(1)).price).toBe(9000);
  });

  it('has one row after concurrent pushes of the same page', async () => {
    const page = Array.from({ length: 50 }, () => buildFacts());
    const shuffled = Array.from({ length: 8 }, (_, n) => (n % 2 ? page : page.toReversed()));
    const results = await Promise.all(shuffled.map((one) => store(one)));
    expect((await db.row('select count(*)::int as count from listings')).count).toBe(50);
    expect(results.reduce((sum, one) => sum + one.accepted, 0)).toBe(50);
    expect(results.reduce((sum, one) => sum + one.unchanged, 0)).toBe(350);
  });
});

describe('the same car under a new id', () => {
  it('is linked to the first listing, whatever the order of its title', async () => {
    const first = buildFacts({ title: '2018 Toyota Camry SE' });
    await store([first]);
    const again = { ...first, externalId: 'other', title: 'Toyota Camry SE 2018', price: 14_000 };
    const third = { ...again, externalId: 'third' };
    await store([again, third]);
    expect((await db.rows('select car_id from listings order by id')).map((row) => row.car_id)).toEqual([1, 1, 1]);
  });

  it('is not linked when the mileage is missing or different', async () => {
    const first = buildFacts({ mileageMiles: null });
    await store([first, { ...first, externalId: 'other' }]);
    const known = buildFacts();
    await store([known, { ...known, externalId: 'another', mileageMiles: 1 }]);
    expect((await db.rows('select car_id from listings')).map((row) => row.car_id)).toEqual([null, null, null, null]);
  });
});

describe('bad records', () => {
  it('are quarantined with code and reason, counted when they come again, and don’t affect the others', async () => {
    const rejection = {
      externalId: 'x\u0000',
      code: 'NOT_A_CAR',
      reason: 'wheels',
      record: '{"t":"\u0000\ud800"}',
    } as const;
    const good = buildFacts({ title: 'nul \u0000 and half \ud83d pair', externalId: 'id\u0000' });
    for (let n = 0; n < 2; n++) {
      const result = await storeListings(db.pool, 'lot', [{ rejection }, { facts: good }], { announce: true });
      expect(result).toMatchObject({ received: 2, rejected: 1 });
      expect(result.results[1]?.listingId).toBe(1);
    }
    const rows = await db.rows('select code, reason, times from quarantine');
    expect(rows).toEqual([{ code: 'NOT_A_CAR', reason: 'wheels', times: 2 }]);
    expect(await db.rows("select items, rejects from sources where name = 'lot'")).toEqual([{ items: 1, rejects: 1 }]);
  });
});

it('does not announce the first read of a source, but later changes', async () => {
  const facts = buildFacts();
  await store([facts], false);
  expect((await listing(1)).announce).toBe(false);
  await store([{ ...facts, price: 1000 }]);
  expect((await listing(1)).announce).toBe(true);
});
