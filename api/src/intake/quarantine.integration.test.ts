import { beforeEach, describe, expect, it } from 'vitest';
import { makeOldDatabase, setUpDatabase } from '../../test/database.ts';
import { buildFacts } from '../../test/factories.ts';
import { purge, untilDone } from '../../test/until-done.ts';
import { inTransaction } from '../base/database.ts';
import { type ParsedRecord, type RejectCode, rejected } from '../domain/facts/listing-facts.ts';
import { dismissQuarantined, purgeExcessQuarantined, type QuarantineLimits, quarantineRecords } from './quarantine.ts';
import { storeListings } from './store-listings.ts';

const db = setUpDatabase();
beforeEach(() => db.pool.query('truncate quarantine, listings, listings_to_match restart identity'));

const storeRejected = (source: string, ...records: string[]) =>
  storeListings(
    db.pool,
    source,
    records.map((record) => rejected('items', null, 'NO_ID', 'none', record)),
    { announce: true },
  );
const left = async () =>
  (await db.rows('select source, record from quarantine order by id')).map(
    ({ source, record }) => `${source} ${record}`,
  );

const trim = (bounds: QuarantineLimits, rows?: number) =>
  untilDone(db.pool, (pool, batch) => purgeExcessQuarantined(pool, batch, bounds), rows);

it('purges records that were quarantined a month ago', async () => {
  await storeRejected('lot', '{}');
  expect(await purge(db.pool, 'old-quarantine')).toMatchObject({ removed: 0 });
  await db.pool.query("update quarantine set last_seen_at = now() - interval '31 days'");
  expect(await purge(db.pool, 'old-quarantine')).toMatchObject({ removed: 1 });
});

it('keeps the newest records of each source, by count and by size', async () => {
  for (const record of ['1', '2', '3']) await storeRejected('lot', record);
  await storeRejected('yard', '1');
  await storeRejected('lot', '1');
  expect(await trim({ rows: 2, bytes: 1000 })).toEqual({ removed: 1, batches: 3 });
  expect(await left()).toEqual(['lot 1', 'lot 3', 'yard 1']);
  expect(await trim({ rows: 2, bytes: 3 })).toEqual({ removed: 1, batches: 3 });
  expect(await left()).toEqual(['lot 1', 'yard 1']);
});

it('deletes excess records in batches', async () => {
  for (let n = 0; n < 9; n += 1) await storeRejected('lot', String(n));
  await storeRejected('yard', '1');
  // Two batches of three, one of two, one for the other source, and the last one.
  expect(await trim({ rows: 1, bytes: 1000 }, 3)).toEqual({ removed: 8, batches: 5 });
  expect(await left()).toEqual(['lot 8', 'yard 1']);
});

describe('a record whose listing is stored later', () => {
  const car = buildFacts({ externalId: 'c1' });
  const reject = (source: string, externalId: string, code: RejectCode = 'BAD_PRICE') =>
    rejected('items', externalId, code, 'why', `${source} ${externalId} ${code}`);
  const store = (source: string, ...records: ParsedRecord[]) =>
    storeListings(db.pool, source, records, { announce: true });

  it('leaves the quarantine, and no other does', async () => {
    await store('lot', reject('lot', 'c1'), reject('lot', 'c2'));
    await store('yard', reject('yard', 'c1'));
    await store('lot', { facts: car });
    expect(await left()).toEqual(['lot lot c2 BAD_PRICE', 'yard yard c1 BAD_PRICE']);
  });

  it('leaves it when the listing is as before', async () => {
    await store('lot', { facts: car });
    await store('lot', reject('lot', 'c1'));
    expect(await store('lot', { facts: car })).toMatchObject({ unchanged: 1 });
    expect(await left()).toEqual([]);
  });

  it('stays while the same page has both', async () => {
    for (let read = 0; read < 2; read += 1) await store('lot', { facts: car }, reject('lot', 'c1'));
    expect(await db.rows('select times from quarantine')).toEqual([{ times: 2 }]);
  });

  it('stays as the second of two rows with one id', async () => {
    await store('lot', reject('lot', 'c1', 'DUPLICATE_ID'));
    await store('lot', { facts: car });
    expect(await left()).toEqual(['lot lot c1 DUPLICATE_ID']);
  });

  it('is left to whoever handles it at the moment', async () => {
    await store('lot', reject('lot', 'c1'));
    await inTransaction(db.pool, async (client) => {
      await client.query('select from quarantine for update');
      await store('lot', { facts: car });
    });
    expect(await left()).toEqual(['lot lot c1 BAD_PRICE']);
  });
});

it('dismisses the records that fit the filter', async () => {
  await storeRejected('lot', '1', '2');
  await storeRejected('yard', '3');
  expect(await dismissQuarantined(db.pool, { source: 'yard', code: 'NOT_A_CAR' })).toBe(0);
  expect(await dismissQuarantined(db.pool, { source: 'yard', code: 'NO_ID' })).toBe(1);
  expect(await dismissQuarantined(db.pool, { ids: [1] })).toBe(1);
  expect(await left()).toEqual(['lot 2']);
});

it('records from an older version are kept once each, cut ones are marked, and a repeated record is counted', async () => {
  const { pool, orm, close } = await makeOldDatabase('001-start');
  try {
    await pool.query(
      `insert into quarantine (source, external_id, code, reason, record, record_hash, times) values
         ('lot', '1', 'BAD_YEAR', 'then', '{"id":1}', 'a', 3), ('lot', '1', 'UNKNOWN_MAKE', 'later', '{"id":1}', 'b', 2),
         ('yard', '1', 'BAD_YEAR', 'then', '{"id":1}', 'a', 1),
         ('lot', '2', 'NOT_A_CAR', 'cut', repeat('x', 8000), 'c', 1), ('lot', '3', 'NOT_A_CAR', 'cut', repeat('x', 8000), 'd', 1)`,
    );
    await orm.migrator.up();
    expect(await quarantineRecords(pool, 'lot', [again('UNKNOWN_MAKE')], { announce: true })).toBe(0);
    const { rows } = await pool.query('select source, code, whole, retryable, times from quarantine order by id');
    expect(rows).toEqual([
      { source: 'lot', code: 'UNKNOWN_MAKE', whole: true, retryable: true, times: 3 },
      { source: 'yard', code: 'BAD_YEAR', whole: true, retryable: true, times: 1 },
      { source: 'lot', code: 'NOT_A_CAR', whole: false, retryable: false, times: 1 },
      { source: 'lot', code: 'NOT_A_CAR', whole: false, retryable: false, times: 1 },
    ]);
  } finally {
    await close();
  }
});

function again(code: 'UNKNOWN_MAKE') {
  const made = rejected('items', '1', code, 'later', '{"id":1}');
  if (!('rejection' in made)) throw new Error('taken');
  return made.rejection;
}
