import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeOldDatabase, type TestDatabase } from '../database.ts';
import { splitPartitions } from '../split-partitions.ts';

/** The first listing of the second partition. */
const SECOND = 1_000;

let db: TestDatabase;
beforeAll(async () => {
  db = await makeOldDatabase('087-partitioned-notifications');
});
afterAll(() => db.close());

const insertRows = (listingId: number) =>
  db.pool.query(
    `with matched as (
       insert into matches (listing_id, alert_id, alert_version, distance_miles, announced, position)
       values ($1::int8, 1, 1, 1, true, $1::int8))
     insert into notifications (user_id, alert_id, listing_id, due_at) values (1, 1, $1::int8, now())`,
    [listingId],
  );
const listings = (table: string) =>
  db.rows(`select listing_id as id, tableoid::regclass::text as "in" from ${table} order by 1`);

it('keeps the rows of the only partition when its migrations are undone', async () => {
  await insertRows(1);
  await db.orm.migrator.down();
  expect(await listings('notifications')).toEqual([{ id: 1, in: 'notifications' }]);
  await db.orm.migrator.down();
  expect(await listings('matches')).toEqual([{ id: 1, in: 'matches' }]);
  await db.orm.migrator.up({ to: '087-partitioned-notifications' });
});

it('refuses to undo the migrations where there are two partitions, and keeps the rows of both', async () => {
  await splitPartitions(db.pool, SECOND);
  await insertRows(SECOND);
  const both = (table: string) => [
    { id: 1, in: `${table}_1` },
    { id: SECOND, in: `${table}_2` },
  ];
  for (const table of ['notifications', 'matches']) {
    await expect(db.orm.migrator.down()).rejects.toThrow(`${table} has several partitions`);
    expect(await listings(table)).toEqual(both(table));
    // The next one to be undone is that of the other table.
    await db.pool.query("delete from migrations where name = '087-partitioned-notifications'");
  }
});
