import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { makeTestDatabase, type TestDatabase } from '../../test/database.ts';
import { purge, untilDone } from '../../test/until-done.ts';
import { rejected } from '../domain/facts/listing-facts.ts';
import { dismissQuarantined, purgeExcessQuarantined, type QuarantineBounds } from './quarantine.ts';

import { storeListings } from './store-listings.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await makeTestDatabase();
});
afterAll(() => db.close());
beforeEach(() => db.pool.query('truncate quarantine, listings restart identity'));

const quarantineRecords = (source: string, ...records: string[]) =>
  storeListings(
    db.pool,
    source,
    records.map((record) => rejected('items', null, 'NO_ID', 'none', record)),
    { announce: true },
  );
const left = async () =>
  (await db.pool.query('select source, record from quarantine order by id')).rows.map(
    ({ source, record }) => `${source} ${record}`,
  );

const trim = (bounds: QuarantineBounds, rows?: number) =>
  untilDone(db.pool, (pool, batch) => purgeExcessQuarantined(pool, batch, bounds), rows);

it('purges what was set aside a month ago', async () => {
  await quarantineRecords('lot', '{}');
  expect(await purge(db.pool, 'old-quarantine')).toMatchObject({ removed: 0 });
  await db.pool.query("update quarantine set last_seen_at = now() - interval '31 days'");
  expect(await purge(db.pool, 'old-quarantine')).toMatchObject({ removed: 1 });
});

it('keeps the newest of each source, by count and by size', async () => {
  for (const record of ['1', '2', '3']) await quarantineRecords('lot', record);
  await quarantineRecords('yard', '1');
  await quarantineRecords('lot', '1');
  expect(await trim({ rows: 2, bytes: 1000 })).toEqual({ removed: 1, batches: 3 });
  expect(await left()).toEqual(['lot 1', 'lot 3', 'yard 1']);
  expect(await trim({ rows: 2, bytes: 3 })).toEqual({ removed: 1, batches: 3 });
  expect(await left()).toEqual(['lot 1', 'yard 1']);
});

it('takes what is beyond the bounds away in batches', async () => {
  for (let n = 0; n < 9; n += 1) await quarantineRecords('lot', String(n));
  await quarantineRecords('yard', '1');
  // Two batches of three, one that finds two, the other source, and the end.
  expect(await trim({ rows: 1, bytes: 1000 }, 3)).toEqual({ removed: 8, batches: 5 });
  expect(await left()).toEqual(['lot 8', 'yard 1']);
});

it('dismisses what fits', async () => {
  await quarantineRecords('lot', '1', '2');
  await quarantineRecords('yard', '3');
  expect(await dismissQuarantined(db.pool, { source: 'yard', code: 'NOT_A_CAR' })).toBe(0);
  expect(await dismissQuarantined(db.pool, { source: 'yard', code: 'NO_ID' })).toBe(1);
  expect(await dismissQuarantined(db.pool, { ids: [1] })).toBe(1);
  expect(await left()).toEqual(['lot 2']);
});
