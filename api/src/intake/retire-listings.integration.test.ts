import { expect, it } from 'vitest';
import { setUpDatabase } from '../../test/database.ts';
import { lockCopies } from '../../test/everywhere.ts';
import { buildFacts, storePage } from '../../test/factories.ts';
import { hasNews } from '../../test/matching/listing-marks.ts';
import { untilDone } from '../../test/until-done.ts';
import { inTransaction } from '../base/database.ts';
import { retireUnseen } from './retire-listings.ts';

const db = setUpDatabase();

it('marks a car as gone 30 days after it was last seen, and as for sale when it comes back', async () => {
  const facts = [buildFacts(), buildFacts()];
  const store = () => storePage(db.pool, 'lot', facts);
  await store();
  await db.pool.query("update listings set last_seen_at = now() - interval '30 days 1 minute' where id = 1");
  await db.pool.query("update listings set last_seen_at = now() - interval '29 days' where id = 2");
  expect(await retireUnseen(db.pool)).toMatchObject({ removed: 1 });
  const rows = await db.rows(`select status, ${hasNews('id')} as waits from listings order by id`);
  expect(rows).toEqual([
    { status: 'gone', waits: false },
    { status: 'for_sale', waits: true },
  ]);
  expect((await store()).results.map((result) => result.status)).toEqual(['updated', 'unchanged']);
});

it('skips the cars of a feed that is read and locked ones', async () => {
  await db.pool.query('truncate listings, listings_to_match');
  await db.pool.query("insert into sources (name, kind, last_success_at) values ('feed', 'vehicle-feed', now())");
  await db.pool.query(
    `insert into listings (source, external_id, title, make, facts_hash, pending_match, last_seen_at)
     select case when n <= 40 then 'feed' else 'lot' end, n, '', 'toyota', '', false,
            now() - interval '60 days' + n * interval '1 hour' from generate_series(1, 60) n`,
  );
  const batches = await inTransaction(db.pool, async (client) => {
    await lockCopies(client, "select from listings where external_id = '50' for update");
    return untilDone(db.pool, retireUnseen, 7);
  });
  expect(batches).toEqual({ removed: 19, batches: 9 });
  expect(await untilDone(db.pool, retireUnseen)).toMatchObject({ removed: 1 });
});
