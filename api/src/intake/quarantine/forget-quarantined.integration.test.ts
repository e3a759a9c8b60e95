import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { makeTestDatabase, type TestDatabase } from '../../../test/database.ts';
import { rejected } from '../../domain/facts/rejection.ts';
import { storeListings } from '../store-listings.ts';
import { dismissQuarantined, forgetHours, forgetQuarantined } from './forget-quarantined.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await makeTestDatabase();
});
afterAll(() => db.close());
beforeEach(() => db.pool.query('truncate quarantine, source_hours, source_lags, listings restart identity'));

const setAside = (source: string, ...records: string[]) =>
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

it('forgets what was set aside a month ago', async () => {
  await setAside('lot', '{}');
  expect(await forgetQuarantined(db.pool)).toBe(0);
  await db.pool.query("update quarantine set last_seen_at = now() - interval '31 days'");
  expect(await forgetQuarantined(db.pool)).toBe(1);
});

it('keeps the newest of each source, by count and by size', async () => {
  for (const record of ['1', '2', '3']) await setAside('lot', record);
  await setAside('yard', '1');
  await setAside('lot', '1');
  expect(await forgetQuarantined(db.pool, { rows: 2, bytes: 1000 })).toBe(1);
  expect(await left()).toEqual(['lot 1', 'lot 3', 'yard 1']);
  expect(await forgetQuarantined(db.pool, { rows: 2, bytes: 3 })).toBe(1);
  expect(await left()).toEqual(['lot 1', 'yard 1']);
});

it('dismisses what fits', async () => {
  await setAside('lot', '1', '2');
  await setAside('yard', '3');
  expect(await dismissQuarantined(db.pool, { source: 'yard', code: 'NOT_A_CAR' })).toBe(0);
  expect(await dismissQuarantined(db.pool, { source: 'yard', code: 'NO_ID' })).toBe(1);
  expect(await dismissQuarantined(db.pool, { ids: [1] })).toBe(1);
  expect(await left()).toEqual(['lot 2']);
});

it('forgets counts that nobody looks at', async () => {
  await setAside('lot', '1');
  await setAside('yard', '1');
  await db.pool.query("update source_hours set hour = hour - interval '73 hours' where source = 'lot'");
  await forgetHours(db.pool);
  expect((await db.pool.query('select source from source_hours')).rows).toEqual([{ source: 'yard' }]);
});
