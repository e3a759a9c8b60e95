import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeTestDatabase, type TestDatabase } from '../../test/database.ts';
import { camry, camryAlert, insertAlerts, insertListings, insertUsers } from '../../test/matching/match-rows.ts';
import { matchPendingListings } from './match-listings.ts';
import { removeOrphans } from './remove-orphans.ts';

let db: TestDatabase;
beforeAll(async () => {
  db = await makeTestDatabase();
});
afterAll(() => db.close());

const count = async (table: string) => (await db.pool.query(`select distinct alert_id from ${table}`)).rowCount;

it('removes what a deleted alert left behind, and nothing else', async () => {
  const [userId = 0] = await insertUsers(db.pool);
  const [alertId = 0] = await insertAlerts(db.pool, userId, [camryAlert, camryAlert, camryAlert]);
  await insertListings(db.pool, [camry]);
  await matchPendingListings(db.pool);
  await db.pool.query('delete from alerts where id = $1', [alertId]);
  expect(await removeOrphans(db.pool)).toBe(2);
  expect(await removeOrphans(db.pool)).toBe(0);
  for (const table of ['matches', 'notifications', 'alert_cells']) expect(await count(table)).toBe(2);
});

it('keeps what was sent for an alert that is gone', async () => {
  const { rows } = await db.pool.query("update notifications set status = 'sent' returning alert_id");
  await db.pool.query('delete from alerts where id = $1', [rows[0].alert_id]);
  await removeOrphans(db.pool);
  expect(await count('notifications')).toBe(2);
  expect(await count('matches')).toBe(1);
});
