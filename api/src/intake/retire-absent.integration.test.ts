import { afterEach, expect, it } from 'vitest';
import { setUpDatabase } from '../../test/database.ts';
import { buildFacts } from '../../test/factories.ts';
import { hasNews } from '../../test/matching/listing-marks.ts';
import { ListingStatus } from '../domain/facts/listing-facts.ts';
import { retireAbsent, retireUnseen } from './retire-listings.ts';
import { storeListings } from './store-listings.ts';

const db = setUpDatabase();
afterEach(() => db.pool.query('truncate listings, listings_to_match, price_changes, sources, quarantine'));

const facts = (externalId: string, more = {}) => ({ facts: buildFacts({ externalId, ...more }) });
const kept = new Map<string, ReturnType<typeof facts>>();
/** Stores the same car at each read of the feed. */
function show(...ids: string[]) {
  const records = ids.map((id) => kept.get(id) ?? facts(id));
  for (const [index, id] of ids.entries()) kept.set(id, records[index] ?? facts(id));
  return storeListings(db.pool, 'lot', records, { announce: true });
}
const absent = (...present: string[]) => retireAbsent(db.pool, 'lot', new Set(present));

async function cars(): Promise<Record<string, string>> {
  const rows = await db.rows(
    `select external_id, status, missed_reads, ${hasNews('id')} as waits from listings order by external_id`,
  );
  return Object.fromEntries(
    rows.map((row) => [row.external_id, `${row.status} ${row.missed_reads}${row.waits ? ' to match' : ''}`]),
  );
}

it('marks a car as gone, and removes it from matching, after two complete reads without it', async () => {
  await show('a', 'b');
  expect(await absent('a')).toEqual({ missed: 1, gone: 0 });
  expect(await cars()).toEqual({ a: 'for_sale 0 to match', b: 'for_sale 1 to match' });
  expect(await absent('a')).toEqual({ missed: 0, gone: 1 });
  expect(await cars()).toEqual({ a: 'for_sale 0 to match', b: 'gone 2' });
  expect(await absent('a')).toEqual({ missed: 0, gone: 0 });
});

it('restarts the count of a car that was seen in between', async () => {
  await show('a', 'b');
  await absent('a');
  await absent('a', 'b');
  expect(await absent('a')).toEqual({ missed: 1, gone: 0 });
  expect(await cars()).toMatchObject({ b: 'for_sale 1 to match' });
});

it('offers a car again that comes back, and restarts its count', async () => {
  await show('a', 'b');
  await absent('a');
  await absent('a');
  const back = await show('b');
  expect(back.results[0]?.status).toBe('updated');
  expect(await cars()).toMatchObject({ b: 'for_sale 0 to match' });
  expect(await absent('a')).toEqual({ missed: 1, gone: 0 });
});

it('counts an unchanged read like one with the same content', async () => {
  await show('a', 'b', 'c');
  await absent('a', 'b');
  expect(await retireAbsent(db.pool, 'lot', 'unchanged')).toEqual({ missed: 0, gone: 1 });
  expect(await retireAbsent(db.pool, 'lot', 'unchanged')).toEqual({ missed: 0, gone: 0 });
  expect(await cars()).toEqual({ a: 'for_sale 0 to match', b: 'for_sale 0 to match', c: 'gone 2' });
});

it('marks all cars as gone when the feed is empty, except those of other sources and sold ones', async () => {
  await show('a');
  await storeListings(db.pool, 'lot', [facts('sold', { status: ListingStatus.sold })], { announce: true });
  await storeListings(db.pool, 'lot', [facts('held', { status: ListingStatus.pending })], { announce: true });
  await storeListings(db.pool, 'other', [facts('x')], { announce: true });
  await absent();
  expect(await absent()).toEqual({ missed: 0, gone: 2 });
  expect(await cars()).toEqual({ a: 'gone 2', held: 'gone 2', sold: 'sold 0', x: 'for_sale 0 to match' });
});

it('writes only changes', async () => {
  await show('a', 'b', 'c');
  await absent('a', 'b');
  const versions = () => db.rows('select external_id, xmin from listings order by 1');
  const [a, b, c] = await versions();
  await absent('a', 'b');
  const after = await versions();
  expect([after[0], after[1]]).toEqual([a, b]);
  expect(after[2]).not.toEqual(c);
});

it('compares ids as they are stored', async () => {
  await storeListings(db.pool, 'lot', [facts('a\u0000b')], { announce: true });
  expect(await absent('a\u0000b')).toEqual({ missed: 0, gone: 0 });
});

it('stops between two batches and continues at the next read', async () => {
  await db.pool.query(
    `insert into listings (source, external_id, title, make, facts_hash, missed_reads)
     select 'lot', 'n' || n, 't', 'ford', 'h', 1 from generate_series(1, 2500) n`,
  );
  const stop = new AbortController();
  const beforeCommit = async () => stop.abort();
  await expect(
    retireAbsent(db.pool, 'lot', new Set<string>(), { signal: stop.signal, beforeCommit }),
  ).rejects.toThrow();
  const gone = async () => (await db.row("select count(*)::int as n from listings where status = 'gone'")).n;
  expect(await gone()).toBe(1000);
  expect(await absent()).toEqual({ missed: 0, gone: 1500 });
  expect(await gone()).toBe(2500);
});

it('keeps the cars of an unchanged feed that is read', async () => {
  await db.pool.query(
    "insert into sources (name, kind, last_success_at) values ('lot', 'vehicle-feed', now() - interval '29 days')",
  );
  await show('a');
  await db.pool.query("update listings set last_seen_at = now() - interval '40 days'");
  expect(await retireUnseen(db.pool)).toMatchObject({ removed: 0 });
  await db.pool.query("update sources set last_success_at = now() - interval '31 days'");
  expect(await retireUnseen(db.pool)).toMatchObject({ removed: 1 });
});

it('records that the previous read showed a missed car, unless a record of it was quarantined since', async () => {
  await show('a', 'b', 'c');
  await db.pool.query("update listings set last_seen_at = now() - interval '20 hours'");
  await db.pool.query(
    "insert into sources (name, kind, last_success_at) values ('lot', 'vehicle-feed', now() - interval '5 minutes')",
  );
  await db.pool.query(
    `insert into quarantine (source, external_id, code, reason, record, record_hash, last_seen_at)
     values ('lot', 'c', 'BAD_PRICE', '', '', '', now() - interval '10 minutes')`,
  );
  await absent('a');
  const seen = async () => {
    return (
      await db.rows(
        'select round(extract(epoch from now() - last_seen_at) / 60)::int4 as ago from listings order by external_id',
      )
    ).map(({ ago }) => ago);
  };
  expect(await seen()).toEqual([1200, 5, 1200]);
  await db.pool.query('update sources set last_success_at = now()');
  await absent('a');
  expect(await seen()).toEqual([1200, 5, 1200]);
});
