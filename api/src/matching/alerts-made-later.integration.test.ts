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

/** Keeps the facts of the last search, as intake does. @param price null for a new price model, which changes no listing */
const change = (price: number | null) =>
  db.pool.query(
    `with marked as (${markChanged('listings l', true)})
     update listings l set price = coalesce($1, price), changed_at = case when $1::int4 is null then changed_at else now() end,
            ${settingsOfMarked('true')}`,
    [price],
  );

const edited = "created_at = now() - interval '1 minute'";
const before = `${edited}, backfill_requested_at = now() - interval '1 minute'`;

it.each([
  ['is not announced to an alert that was made since', 10_000, 10_000, '', false],
  ['is announced where it did not fit that before', 20_500, 20_000, '', true],
  ['is announced where its price has dropped by 5 %', 11_000, 10_000, '', true],
  ['is announced to one that was made before', 10_000, 10_000, before, true],
  ['is announced to one that was made before and edited since', 10_000, 10_000, edited, true],
])('a changed listing that waits %s', async (_name, priceBefore, price, changes, announced) => {
  await db.pool.query('truncate alerts, alert_cells, listings, listings_to_match, matches, notifications');
  const [id] = await insertListings(db.pool, [{ ...camry, price: priceBefore }]);
  await match();
  await change(price);
  await insertAlerts(db.pool, userId, [camryAlert]);
  if (changes) await changeAlerts(db, changes);
  await match();
  expect(await db.rows('select listing_id as id, announced, price from matches')).toEqual([{ id, announced, price }]);
  expect(await db.rows('select from notifications')).toHaveLength(announced ? 1 : 0);
});

it('a listing that changes again after the alert was made is announced', async () => {
  await db.pool.query('truncate alerts, alert_cells, listings, listings_to_match, matches, notifications');
  await insertListings(db.pool, [{ ...camry, price: 10_000 }]);
  await match();
  await change(15_000);
  await insertAlerts(db.pool, userId, [{ ...camryAlert, priceMax: 11_000 }]);
  await change(10_800);
  await match();
  expect(await db.rows('select announced from matches')).toEqual([{ announced: true }]);
});

it.each([
  ['meanwhile', ''],
  ['before, and waits for its backfill', ", backfill_requested_at = now() - interval '1 minute'"],
])(
  'a listing that waits for a new price model is not announced to an alert that was edited %s',
  async (_when, more) => {
    await db.pool.query('truncate alerts, alert_cells, listings, listings_to_match, matches, notifications');
    await insertListings(db.pool, [camry]);
    await db.pool.query("update listings set changed_at = now() - interval '1 hour'");
    await match();
    await change(null);
    await insertAlerts(db.pool, userId, [camryAlert]);
    await changeAlerts(db, `${edited}${more}`);
    await match();
    expect(await db.rows('select announced from matches')).toEqual([{ announced: false }]);
  },
);

it('of two changed listings, the one whose mark is older than the alert is not announced', async () => {
  await db.pool.query('truncate alerts, alert_cells, listings, listings_to_match, matches, notifications');
  const ids = await insertListings(db.pool, [
    { ...camry, price: 10_000 },
    { ...camry, price: 10_000 },
  ]);
  await match();
  await change(10_000);
  await insertAlerts(db.pool, userId, [camryAlert]);
  await changeAlerts(db, "backfill_requested_at = now() + interval '2 minutes'");
  const later = "now() + interval '1 minute'";
  await db.pool.query(`update listings_to_match set marked_at = ${later} where listing_id = $1`, [ids[1]]);
  await db.pool.query(`update listings set changed_at = ${later} where id = $1`, [ids[1]]);
  await match();
  expect(await db.rows('select listing_id as id, announced from matches order by id')).toEqual([
    { id: ids[0], announced: false },
    { id: ids[1], announced: true },
  ]);
});
