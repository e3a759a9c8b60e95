import { expect, it } from 'vitest';
import { setUpDatabase } from '../../test/database.ts';
import { changeAlerts } from '../../test/matching/change-alerts.ts';
import { camry, camryAlert, insertAlerts, insertListings, insertUsers } from '../../test/matching/match-rows.ts';
import { markChanged, settingsOfMarked } from '../placement/listing-marks.ts';
import { matchPendingListings } from './match-listings.ts';

let userId: number;
const db = setUpDatabase(async () => {
  [userId = 0] = await insertUsers(db.pool);
});

const match = async () => {
  while ((await matchPendingListings(db.pool)) > 0);
};

/** Keeps the facts of the last search, as intake does. */
const reprice = (price: number) =>
  db.pool.query(
    `with marked as (${markChanged('listings l', true)}) update listings l set price = $1, ${settingsOfMarked('true')}`,
    [price],
  );

it.each([
  ['is not announced to an alert that was made since', 10_000, '', false],
  ['is announced where it did not fit that before', 21_000, '', true],
  ['is announced where its price has dropped by 5 %', 11_000, '', true],
  ['is announced to one that was made before', 10_000, "backfill_requested_at = now() - interval '1 minute'", true],
])('a changed listing that waits %s', async (_name, priceBefore, changes, announced) => {
  await db.pool.query('truncate alerts, alert_cells, listings, listings_to_match, matches, notifications');
  const [id] = await insertListings(db.pool, [{ ...camry, price: priceBefore }]);
  await match();
  await reprice(10_000);
  await insertAlerts(db.pool, userId, [camryAlert]);
  if (changes) await changeAlerts(db, changes);
  await match();
  expect(await db.rows('select listing_id as id, announced, price from matches')).toEqual([
    { id, announced, price: 10_000 },
  ]);
  expect(await db.rows('select from notifications')).toHaveLength(announced ? 1 : 0);
});
