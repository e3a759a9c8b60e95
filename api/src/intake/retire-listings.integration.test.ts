import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeTestDatabase, type TestDatabase } from '../../test/database.ts';
import { buildFacts } from '../../test/factories.ts';
import { storePage } from '../../test/store-page.ts';
import { retireUnseen } from './retire-listings.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await makeTestDatabase();
});
afterAll(() => db.close());

it('counts a car as gone 30 days after it was last seen, and as for sale when it comes again', async () => {
  const facts = [buildFacts(), buildFacts()];
  const store = () => storePage(db.pool, 'lot', facts);
  await store();
  await db.pool.query("update listings set last_seen_at = now() - interval '30 days 1 minute' where id = 1");
  await db.pool.query("update listings set last_seen_at = now() - interval '29 days' where id = 2");
  expect(await retireUnseen(db.pool)).toBe(1);
  const { rows } = await db.pool.query('select status, pending_match from listings order by id');
  expect(rows).toEqual([
    { status: 'gone', pending_match: false },
    { status: 'for_sale', pending_match: true },
  ]);
  expect((await store()).results.map((result) => result.status)).toEqual(['updated', 'unchanged']);
});
