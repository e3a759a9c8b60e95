import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { makeTestDatabase, type TestDatabase } from '../../test/database.ts';
import { buildFacts } from '../../test/factories.ts';
import { type ListingFacts, type ParsedRecord, rejected } from '../domain/facts/listing-facts.ts';
import type { QuarantineFilter } from '../intake/quarantine.ts';
import { storeListings } from '../intake/store-listings.ts';
import { type RetryDeps, retryQuarantined } from './retry-quarantined.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await makeTestDatabase();
});
afterAll(() => db.close());
beforeEach(async () => {
  await db.pool.query('truncate listings, price_changes, quarantine, sources, source_hours restart identity');
  await db.pool.query("insert into sources (name, kind) values ('lot', 'push'), ('yard', 'push')");
});

/** A reader that has learnt: a record is the JSON of its facts, and all but those that say so are understood. */
const learnt = (reader: 'items' | 'feed', record: string): ParsedRecord | null => {
  if (!record.startsWith('{')) return null;
  const facts = JSON.parse(record) as ListingFacts & { still?: boolean };
  if (facts.still) return rejected(reader, facts.externalId, 'BAD_YEAR', 'Still no year.', record);
  return { facts: { ...facts, listedAt: facts.listedAt && new Date(facts.listedAt) } };
};
const deps = (): RetryDeps => ({ pool: db.pool, readAgain: learnt, now: () => new Date() });
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
const listings = async () => (await db.pool.query('select * from listings order by id')).rows;
const quarantine = async () => (await db.pool.query('select * from quarantine order by id')).rows;

describe('another try', () => {
  it('stores what is understood now, and says of the rest why not', async () => {
    const good = buildFacts();
    await store('lot', [unread(good), unread({ ...buildFacts(), still: true })]);
    expect(await retry()).toEqual({
      ...{ tried: 2, accepted: 1, updated: 0, unchanged: 0, newer: 0, rejected: 1, endId: null },
    });
    expect(await listings()).toMatchObject([{ external_id: good.externalId, source: 'lot', pending_match: true }]);
    expect(await quarantine()).toMatchObject([{ code: 'BAD_YEAR', reason: 'Still no year.', times: 1 }]);
    expect((await quarantine())[0].retried_at).toBeInstanceOf(Date);
    expect((await db.pool.query("select items, rejects from sources where name = 'lot'")).rows).toMatchObject([
      { items: 1, rejects: 2 },
    ]);
    expect(await retry()).toMatchObject({ tried: 1, accepted: 0, rejected: 1 });
  });

  it('leaves its reason to a record that cannot be read alone', async () => {
    await store('lot', [rejected('feed', null, 'MALFORMED', 'A stray quote.', 'a;"b')]);
    expect(await retry()).toMatchObject({ tried: 1, rejected: 1 });
    expect(await quarantine()).toMatchObject([{ code: 'MALFORMED', reason: 'A stray quote.' }]);
  });

  it('takes only what fits the filter', async () => {
    for (const source of ['lot', 'yard']) for (let n = 0; n < 2; n++) await quarantineRecords(buildFacts(), source);
    expect(await retry({ ids: [2, 3], source: 'lot' })).toMatchObject({ tried: 1 });
    expect(await retry({ code: 'BAD_PRICE' })).toMatchObject({ tried: 0 });
    expect(await retry({ code: 'UNKNOWN_MAKE', source: 'yard' })).toMatchObject({ accepted: 2 });
    expect((await quarantine()).map(({ id }) => id)).toEqual([1]);
  });

  it('leaves beginnings, and ids that stood twice: alone they would be taken', async () => {
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

  it('goes on where its time ran out', async () => {
    await store(
      'lot',
      Array.from({ length: 450 }, () => unread(buildFacts())),
    );
    const first = await retryQuarantined(deps(), {}, { budgetMs: 0 });
    expect(first).toMatchObject({ tried: 200, endId: 200 });
    expect(await retryQuarantined(deps(), {}, { after: 200 })).toMatchObject({ accepted: 250, endId: null });
  });
});

describe('what is tried again is as old as its record', () => {
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

  it('counts from when its record was first and last seen', async () => {
    await quarantineRecords(buildFacts({ listedAt: null }));
    await passed('25 hours');
    await retry();
    const [listing] = await listings();
    expect(listing.announce).toBe(false);
    for (const at of [listing.seen_at, listing.last_seen_at]) {
      expect(Math.abs(Date.now() - 25 * 3_600_000 - at.getTime())).toBeLessThan(60_000);
    }
  });

  it('does not overwrite what came in later, changed or not', async () => {
    const before = buildFacts({ price: 20_000 });
    await store('lot', [{ facts: before }]);
    await quarantineRecords({ ...before, price: 18_000 });
    await store('lot', [{ facts: before }]);
    expect(await retry()).toMatchObject({ tried: 1, newer: 1 });
    expect(await listings()).toMatchObject([{ price: 20_000 }]);
    expect(await quarantine()).toEqual([]);
  });

  it('updates what came in earlier', async () => {
    const before = buildFacts({ price: 20_000 });
    await store('lot', [{ facts: before }]);
    await quarantineRecords({ ...before, price: 18_000 });
    expect(await retry()).toMatchObject({ updated: 1 });
    expect(await listings()).toMatchObject([{ price: 18_000 }]);
    expect((await db.pool.query('select price from price_changes order by seen_at')).rows).toEqual([
      { price: 20_000 },
      { price: 18_000 },
    ]);
  });

  it('takes the latest of several records of a listing, in one call or in two', async () => {
    const car = buildFacts();
    for (const price of [20_000, 19_000, 18_000]) await quarantineRecords({ ...car, price });
    expect(await retry({ ids: [2] })).toMatchObject({ accepted: 1 });
    expect(await retry()).toMatchObject({ updated: 1, newer: 1 });
    expect(await listings()).toMatchObject([{ price: 18_000 }]);
  });

  it('tells records of the same millisecond apart', async () => {
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
