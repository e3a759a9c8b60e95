import { afterEach, beforeEach, expect, it } from 'vitest';
import { setUpDatabase } from '../../test/database.ts';
import { changeListings } from '../../test/matching/listing-marks.ts';
import { insertSeenCars } from '../../test/matching/many-matches.ts';
import { camry, camryAlert, insertAlerts, insertListings, insertUsers } from '../../test/matching/match-rows.ts';
import { dismissCar } from '../alerts/dismiss-car.ts';
import { matchPendingAlerts } from './match-alerts.ts';
import { matchPendingListings } from './match-listings.ts';

let users: number[];
let alerts: number[];
const db = setUpDatabase(async () => {
  users = await insertUsers(db.pool, 3);
});
beforeEach(async () => {
  alerts = (await Promise.all(users.map((userId) => insertAlerts(db.pool, userId, [camryAlert])))).flat();
});
afterEach(() => db.pool.query('truncate alerts, alert_cells, listings, matches, notifications cascade'));

const owners = () => db.rows('select alert_id as alert, user_id as user from matches order by alert_id, listing_id');
const ofEach = (rows: number) =>
  alerts
    .map((alert, at) => ({ alert, user: users[at] }))
    .toSorted((a, b) => a.alert - b.alert)
    .flatMap((row) => Array.from({ length: rows }, () => row));
const matchListings = async () => {
  while ((await matchPendingListings(db.pool)) > 0);
};
const backfill = async () => {
  await db.pool.query('update alerts set pending_match = true');
  while ((await matchPendingAlerts(db.pool)) > 0);
};

it('a search for listings writes the user of each alert, also where some pairs are known', async () => {
  await insertListings(db.pool, [camry, camry]);
  await matchListings();
  expect(await owners()).toEqual(ofEach(2));
  await db.pool.query('delete from matches where alert_id = any($1) or alert_id = $2 and listing_id % 2 = 0', [
    alerts.slice(1),
    alerts[0],
  ]);
  await changeListings(db.pool, 'price = price - 1000');
  await matchListings();
  expect(await owners()).toEqual(ofEach(2));
});

it('a backfill writes the user of its alert, also where some pairs are known', async () => {
  await insertSeenCars(db, 3);
  await backfill();
  expect(await owners()).toEqual(ofEach(3));
  await db.pool.query('delete from matches where listing_id = (select min(listing_id) from matches)');
  await backfill();
  expect(await owners()).toEqual(ofEach(3));
});

it('a dismissal of a car that newer matches have replaced has the user who dismissed it', async () => {
  const [listingId = 0] = await insertListings(db.pool, [camry]);
  await matchListings();
  await db.pool.query('delete from matches; update alerts set is_capped = true');
  const [userId = 0] = users;
  const [alertId = 0] = alerts;
  await dismissCar(db.orm.em.fork(), { alertId, userId, listingId });
  expect(await owners()).toEqual([{ alert: alertId, user: userId }]);
});
