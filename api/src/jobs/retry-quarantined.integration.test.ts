import { beforeEach, describe, expect, it } from 'vitest';
import { setUpDatabase } from '../../test/database.ts';
import { buildFacts, storePage } from '../../test/factories.ts';
import { type ListingFacts, type ParsedRecord, rejected } from '../domain/facts/listing-facts.ts';
import type { QuarantineFilter } from '../intake/quarantine.ts';
import { storeListings } from '../intake/store-listings.ts';
import { type RetryDeps, retryQuarantined } from './retry-quarantined.ts';

const db = setUpDatabase();
beforeEach(async () => {
  await db.pool.query(
    'truncate listings, listings_to_match, price_changes, quarantine, sources, source_hours restart identity',
  );
  await db.pool.query("insert into sources (name, kind) values ('lot', 'push'), ('yard', 'push')");
});

/** An improved reader: a record is the JSON of its facts, and it understands all but those marked `still`. */
const improved = (reader: 'items' | 'feed', record: string): ParsedRecord | null => {
  if (!record.startsWith('{')) return null;
  const facts = JSON.parse(record) as ListingFacts & { still?: boolean };
  if (facts.still) return rejected(reader, facts.externalId, 'BAD_YEAR', 'Still no year.', record);
  return { facts: { ...facts, listedAt: facts.listedAt && new Date(facts.listedAt) } };
};
const deps = (): RetryDeps => ({ pool: db.pool, readAgain: improved, now: () => new Date() });
const retry = (filter: QuarantineFilter = {}) => retryQuarantined(deps(), filter);

const unread = (facts: ListingFacts & { still?: boolean }, code: 'UNKNOWN_MAKE' | 'DUPLICATE_ID' = 'UNKNOWN_MAKE') =>
  rejected('items', facts.externalId, code, 'Not known.', JSON.stringify(facts));
const store = (source: string, records: ParsedRecord[], announce = true) =>
  storeListings(db.pool, source, records, { announce });
const quarantineRecords = (facts: ListingFacts & { still?: boolean }, source = 'lot') => store(source, [unread(facts)]);
const passed = (interval: string) =>
  db.pool.query(
    `update quarantine set first_seen_at = first_seen_at - interval '${interval}',
       last_seen_at = last_seen_at - interval '${interval}'`,
  );
const listings = () => db.rows('select * from listings order by id');
const quarantine = () => db.rows('select * from quarantine order by id');

describe('a retry', () => {
  it('stores the records that are understood now, and updates the reasons of the others', async () => {
    const good = buildFacts();
    await store('lot', [unread(good), unread({ ...buildFacts(), still: true })]);
    expect(await retry()).toEqual({
      ...{ tried: 2, accepted: 1, updated: 0, unchanged: 0, newer: 0, rejected: 1, endId: null },
    });
    expect(await listings()).toMatchObject([{ external_id: good.externalId, source: 'lot' }]);
    expect(await db.rows('select is_news from listings_to_match')).toEqual([{ is_news: true }]);
    expect(await quarantine()).toMatchObject([{ code: 'BAD_YEAR', reason: 'Still no year.', times: 1 }]);
    expect((await quarantine())[0].retried_at).toBeInstanceOf(Date);
    expect(await db.rows("select items, rejects from sources where name = 'lot'")).toMatchObject([
      { items: 1, rejects: 2 },
    ]);
    expect(await retry()).toMatchObject({ tried: 1, accepted: 0, rejected: 1 });
  });

  it('keeps the reason of a record that can not be read without its page', async () => {
    await store('lot', [rejected('feed', null, 'MALFORMED', 'A stray quote.', 'a;"b')]);
    expect(await retry()).toMatchObject({ tried: 1, rejected: 1 });
    expect(await quarantine()).toMatchObject([{ code: 'MALFORMED', reason: 'A stray quote.' }]);
  });

  it('reads only the records that fit the filter', async () => {
    for (const source of ['lot', 'yard']) for (let n = 0; n < 2; n++) await quarantineRecords(buildFacts(), source);
    expect(await retry({ ids: [2, 3], source: 'lot' })).toMatchObject({ tried: 1 });
    expect(await retry({ code: 'BAD_PRICE' })).toMatchObject({ tried: 0 });
    expect(await retry({ code: 'UNKNOWN_MAKE', source: 'yard' })).toMatchObject({ accepted: 2 });
    expect((await quarantine()).map(({ id }) => id)).toEqual([1]);
  });

  it('skips truncated records and duplicate ids, which would be accepted on their own', async () => {
    const long = { ...buildFacts(), title: 'x'.repeat(70_000) };
    await store('lot', [unread(buildFacts(), 'DUPLICATE_ID'), unread(long)]);
    const kept = await quarantine();
    expect(kept.map(({ retryable, whole }) => ({ retryable, whole }))).toEqual(
      expect.arrayContaining([
        { retryable: false, whole: true },
        { retryable: false, whole: false },
      ]),
    );
    expect(await retry()).toMatchObject({ tried: 0 });
    expect(await quarantine()).toHaveLength(2);
  });

  it('continues where its time limit ended the last call', async () => {
    await store(
      'lot',
      Array.from({ length: 450 }, () => unread(buildFacts())),
    );
    const first = await retryQuarantined(deps(), {}, { budgetMs: 0 });
    expect(first).toMatchObject({ tried: 200, endId: 200 });
    expect(await retryQuarantined(deps(), {}, { after: 200 })).toMatchObject({ accepted: 250, endId: null });
  });
});

describe('the times of a retried listing are those of its record', () => {
  const hourAgo = () => new Date(Date.now() - 3_600_000);
  const twoDaysAgo = () => new Date(Date.now() - 48 * 3_600_000);

  it.each([
    ['listed an hour ago', hourAgo, true, true],
    ['listed an hour ago, in the first read of its source', hourAgo, false, false],
    ['listed two days ago', twoDaysAgo, true, false],
    ['first seen just now, listed nobody knows when', () => null, true, true],
  ])('%s', async (_name, listedAt, pageAnnounced, announced) => {
    await store('lot', [unread(buildFacts({ listedAt: listedAt() }))], pageAnnounced);
    await retry();
    expect(await listings()).toMatchObject([{ announce: announced }]);
  });

  it('is first and last seen when its record was', async () => {
    await quarantineRecords(buildFacts({ listedAt: null }));
    await passed('25 hours');
    await retry();
    const [listing] = await listings();
    expect(listing.announce).toBe(false);
    for (const at of [listing.seen_at, listing.last_seen_at]) {
      expect(Math.abs(Date.now() - 25 * 3_600_000 - at.getTime())).toBeLessThan(60_000);
    }
  });

  it('does not overwrite a listing that was read later, changed or not', async () => {
    const before = buildFacts({ price: 20_000 });
    await store('lot', [{ facts: before }]);
    await quarantineRecords({ ...before, price: 18_000 });
    await passed('1 hour');
    expect(await retry()).toMatchObject({ tried: 1, newer: 1 });
    expect(await listings()).toMatchObject([{ price: 20_000 }]);
    expect(await quarantine()).toEqual([]);
  });

  it('updates a listing that was read earlier', async () => {
    const before = buildFacts({ price: 20_000 });
    await store('lot', [{ facts: before }]);
    await quarantineRecords({ ...before, price: 18_000 });
    expect(await retry()).toMatchObject({ updated: 1 });
    expect(await listings()).toMatchObject([{ price: 18_000 }]);
    expect(await db.rows('select price from price_changes order by seen_at')).toEqual([
      { price: 20_000 },
      { price: 18_000 },
    ]);
  });

  it('stores the latest of several records of a listing, in one call or in two', async () => {
    const car = buildFacts();
    for (const price of [20_000, 19_000, 18_000]) await quarantineRecords({ ...car, price });
    expect(await retry({ ids: [2] })).toMatchObject({ accepted: 1 });
    expect(await retry()).toMatchObject({ updated: 1, newer: 1 });
    expect(await listings()).toMatchObject([{ price: 18_000 }]);
  });

  it('orders records of the same millisecond', async () => {
    const car = buildFacts();
    for (const price of [20_000, 19_000, 18_000]) await quarantineRecords({ ...car, price });
    await db.pool.query(
      "update quarantine set last_seen_at = date_trunc('second', now()) + id * interval '1 microsecond'",
    );
    expect(await retry({ ids: [2] })).toMatchObject({ accepted: 1 });
    expect(await retry({ ids: [1] })).toMatchObject({ newer: 1 });
    expect(await retry({ ids: [3] })).toMatchObject({ updated: 1 });
    expect(await listings()).toMatchObject([{ price: 18_000 }]);
  });
});

describe('concurrent retries', () => {
  const quarantineAll = (cars: ListingFacts[]) =>
    store(
      'lot',
      cars.map((car) => unread(car)),
    );
  const page = (cars: ListingFacts[]) => storePage(db.pool, 'lot', cars);

  it('store each record once', async () => {
    await quarantineAll(Array.from({ length: 300 }, () => buildFacts()));
    const results = await Promise.all(Array.from({ length: 8 }, () => retry()));
    expect(results.reduce((sum, { tried }) => sum + tried, 0)).toBe(300);
    expect(results.reduce((sum, { accepted }) => sum + accepted, 0)).toBe(300);
    expect(await db.rows('select count(*)::int as listings from listings')).toEqual([{ listings: 300 }]);
    expect(await db.rows("select items::int from sources where name = 'lot'")).toEqual([{ items: 300 }]);
    expect(await db.rows('select id from quarantine')).toEqual([]);
  });

  it('store nothing when they are interrupted, and everything at the next call', async () => {
    await quarantineAll(Array.from({ length: 5 }, () => buildFacts()));
    await db.pool.query(`
    create function break_off() returns trigger language plpgsql as $$ begin raise 'broken off'; end $$;
    create trigger break_off before delete on quarantine for each row when (old.id = 4) execute function break_off()`);
    await expect(retry()).rejects.toThrow('broken off');
    expect(await db.rows('select id from listings')).toEqual([]);
    expect(await db.rows("select items::int from sources where name = 'lot'")).toEqual([{ items: 0 }]);
    await db.pool.query('drop function break_off cascade');
    expect(await retry()).toMatchObject({ tried: 5, accepted: 5 });
  });

  it('never overwrite a page with newer facts that is stored at the same time', async () => {
    for (let round = 0; round < 12; round++) {
      const cars = Array.from({ length: 40 }, () => buildFacts({ price: 20_000, listedAt: null }));
      const newer = cars.map((car) => ({ ...car, price: 18_000 }));
      // Every other round the listings are there already.
      if (round % 2 === 0) await page(cars.map((car) => ({ ...car, price: 21_000 })));
      await quarantineAll(cars);
      await Promise.all([retry(), page(newer), retry()]);
      expect(await db.rows('select distinct price from listings')).toEqual([{ price: 18_000 }]);
      expect(await db.rows('select id from quarantine')).toEqual([]);
    }
  }, 60_000);
});
