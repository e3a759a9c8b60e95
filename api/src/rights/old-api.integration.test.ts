import { expect, it } from 'vitest';
import { onCluster, setUpDatabase } from '../../test/database.ts';
import { insertAlert, insertListing, insertPlan, insertUser } from '../../test/mail/mail-fixtures.ts';

const db = setUpDatabase(() => insertPlan(db.pool));

const link = (userId: number, columns: string, values: string) =>
  db.pool.query(
    `insert into shared_links (user_id, token_hash, expires_at, ${columns})
     values ($1, sha256(random()::text::bytea), now() + interval '90 days', ${values})`,
    [userId],
  );
const owners = async (table: string): Promise<number[]> =>
  (await db.rows(`select user_id as id from ${table} order by id`)).map(({ id }) => id);

/** A user with a link to an alert and one to a list, a note and a bookmark. */
async function withRows(): Promise<{ userId: number; alertId: number }> {
  const userId = await insertUser(db.pool);
  const [alertId, listingId] = [await insertAlert(db.pool, userId), await insertListing(db.pool)];
  await link(userId, 'alert_id', String(alertId));
  await link(userId, 'listing_ids', `'{${listingId}}'`);
  await db.pool.query("insert into listing_notes (user_id, listing_id, note) values ($1, $2, 'mine')", [
    userId,
    listingId,
  ]);
  await db.pool.query('insert into saved_listings (user_id, listing_id) values ($1, $2)', [userId, listingId]);
  return { userId, alertId };
}

// During an upgrade an old api deletes these rows, and knows no tables that are newer than itself. No old api wrote to a cluster.
it.skipIf(onCluster)('ends the links to an alert that an old api deletes', async () => {
  const [mine, other] = [await withRows(), await withRows()];
  await db.pool.query('delete from alerts where id = $1', [mine.alertId]);
  expect(await owners('shared_links where alert_id is not null')).toEqual([other.userId]);
  expect(await owners('shared_links where alert_id is null')).toEqual([mine.userId, other.userId]);
});

it.skipIf(onCluster)('deletes the links, notes and bookmarks of a user whom an old api erases', async () => {
  await db.pool.query('delete from alerts; delete from users;');
  const [mine, other] = [await withRows(), await withRows()];
  await db.pool.query('delete from alerts where user_id = $1', [mine.userId]);
  await db.pool.query('delete from users where id = $1', [mine.userId]);
  for (const table of ['shared_links where alert_id is null', 'listing_notes', 'saved_listings'])
    expect([table, await owners(table)]).toEqual([table, [other.userId]]);
});
