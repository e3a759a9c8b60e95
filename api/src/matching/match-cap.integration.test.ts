import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { setUpDatabase } from '../../test/database.ts';
import { markListings } from '../../test/matching/listing-marks.ts';
import { insertSeenCars, shownListings } from '../../test/matching/many-matches.ts';
import { camry, camryAlert, insertAlerts, insertListings, insertUsers } from '../../test/matching/match-rows.ts';
import { updateAlert } from '../alerts/update-alert.ts';
import { MATCHES_KEPT } from '../domain/match-cap.ts';
import type { Gazetteer } from '../domain/places/places.ts';
import { DISMISSED } from '../entities/notification-rules.ts';
import { matchPendingAlerts } from './match-alerts.ts';
import { matchPendingListings } from './match-listings.ts';

const db = setUpDatabase();
let userId: number;
let alertId: number;
beforeEach(async () => {
  [userId = 0] = await insertUsers(db.pool);
  [alertId = 0] = await insertAlerts(db.pool, userId, [camryAlert]);
});
afterEach(() =>
  db.pool.query(
    'truncate users, alerts, alert_cells, alerts_to_trim, listings, listings_to_match, matches, notifications, saved_listings restart identity cascade',
  ),
);

const backfill = async () => {
  await db.pool.query('update alerts set pending_match = true');
  while ((await matchPendingAlerts(db.pool)) > 0);
};
const edit = async (patch: object) => {
  const deps = { gazetteer: {} as Gazetteer, now: new Date(), hasTexts: true };
  await updateAlert(db.orm.em.fork(), deps, { id: userId }, alertId, patch);
  while ((await matchPendingAlerts(db.pool)) > 0);
};
const isCapped = async () => (await db.row('select is_capped as yes from alerts'))?.yes;
const newest = (ids: readonly number[], count = MATCHES_KEPT) => ids.slice(-count);

it('a backfill writes the newest listings that an alert keeps, and no more', async () => {
  const cars = await insertSeenCars(db, MATCHES_KEPT + 70);
  const elsewhere = await insertSeenCars(db, 5, { ...camry, lng: -117.9 });
  await backfill();
  // Those of the other cell are among the newest too.
  expect(await shownListings(db, alertId)).toEqual([...newest(cars, MATCHES_KEPT - elsewhere.length), ...elsewhere]);
  expect((await db.row('select count(*)::int4 as n from matches'))?.n).toBe(MATCHES_KEPT);
  expect(await isCapped()).toBe(true);
});

it('an alert that fits as many listings as it keeps has all of them, and is not capped', async () => {
  const cars = await insertSeenCars(db, MATCHES_KEPT);
  await backfill();
  expect(await shownListings(db, alertId)).toEqual(cars);
  expect(await isCapped()).toBe(false);
});

it('after an edit an alert shows the newest of its matches and of what it finds, and the others are deleted', async () => {
  const cars = await insertSeenCars(db, MATCHES_KEPT - 10);
  await backfill();
  const dearer = await insertSeenCars(db, 40, { ...camry, price: 25_000 });
  await edit({ priceMax: 30_000 });
  expect(await shownListings(db, alertId)).toEqual([...newest(cars, MATCHES_KEPT - dearer.length), ...dearer]);
  expect((await db.row('select count(*)::int4 as n from matches'))?.n).toBe(MATCHES_KEPT);
  await edit({ priceMax: 20_000 });
  expect(await shownListings(db, alertId)).toEqual(cars);
});

it('an announced match is as new as its announcement', async () => {
  const [announced = 0, ...cars] = await insertSeenCars(db, MATCHES_KEPT);
  await backfill();
  await db.pool.query('update matches set announced = true where listing_id = $1', [announced]);
  const dearer = await insertSeenCars(db, 5, { ...camry, price: 25_000 });
  await edit({ priceMax: 30_000 });
  expect(await shownListings(db, alertId)).toEqual([announced, ...cars.slice(5), ...dearer]);
});

it('dismissed and hidden pairs take no place of shown ones, and stay', async () => {
  const cars = await insertSeenCars(db, MATCHES_KEPT + 20);
  await backfill();
  const dismissed = newest(cars, 3);
  await db.pool.query(`update matches set alert_version = ${DISMISSED} where listing_id = any ($1)`, [dismissed]);
  await edit({ radius: 100 });
  expect(await shownListings(db, alertId)).toEqual(newest(cars, MATCHES_KEPT + 3).slice(0, -3));
  expect(
    await db.rows(`select listing_id::int as id from matches where alert_version = ${DISMISSED} order by 1`),
  ).toEqual(dismissed.map((id) => ({ id })));
});

it.each([
  ['a backfill', 5, true],
  ['a backfill of just as many as an alert keeps', 0, false],
])(
  'cars that wait for their own search leave their places to older ones in %s, and after an edit',
  async (_what, more, capped) => {
    const cars = await insertSeenCars(db, MATCHES_KEPT + more + 2);
    const others = cars.slice(0, -2);
    await markListings(db.pool, `id > ${others.at(-1)}`);
    await backfill();
    expect(await shownListings(db, alertId)).toEqual(newest(others));
    expect(await isCapped()).toBe(capped);
    await edit({ radius: 100 });
    expect(await shownListings(db, alertId)).toEqual(newest(others));
    while ((await matchPendingListings(db.pool)) > 0);
    expect(await shownListings(db, alertId)).toEqual([...newest(others), ...newest(cars, 2)]);
  },
);

it('a car that only waits to be compared by facts learned later is backfilled', async () => {
  const cars = await insertSeenCars(db, 3);
  await db.pool.query(
    `insert into listings_to_match (listing_id, version, is_news) select id, version, false from listings`,
  );
  await backfill();
  expect(await shownListings(db, alertId)).toEqual(cars);
});

it('a match that is announced right now, or whose car its owner follows, stays beside the newest', async () => {
  const [waits = 0, saved = 0, sent = 0, ...cars] = await insertSeenCars(db, MATCHES_KEPT);
  await backfill();
  await db.pool.query(
    `insert into notifications (user_id, alert_id, listing_id, due_at, status) values ($1, $2, $3, now(), 'waiting'), ($1, $2, $4, now(), 'sent')`,
    [userId, alertId, waits, sent],
  );
  await db.pool.query('insert into saved_listings (user_id, listing_id) values ($1, $2)', [userId, saved]);
  const dearer = await insertSeenCars(db, 10, { ...camry, price: 25_000 });
  await edit({ priceMax: 30_000 });
  expect(await shownListings(db, alertId)).toEqual([waits, saved, ...newest([...cars, ...dearer])]);
});

it('new listings that race with a backfill at the cap are all matches', async () => {
  await insertSeenCars(db, MATCHES_KEPT + 200);
  const added: number[] = [];
  let over = false;
  const listing = (async () => {
    for (let round = 0; round < 12; round += 1) {
      added.push(...(await insertListings(db.pool, [camry, camry, camry])));
      await sleep(Math.random() * 8);
    }
    over = true;
  })();
  const matching = (async () => {
    while (!over || (await matchPendingListings(db.pool)) > 0) await matchPendingListings(db.pool);
  })();
  const backfilling = (async () => {
    while (!over) {
      await db.pool.query('update alerts set pending_match = true, version = version + 1');
      await db.pool.query(
        'update alert_cells c set alert_version = a.version from alerts a where a.id = c.alert_id and a.user_id = c.user_id',
      );
      await matchPendingAlerts(db.pool);
    }
  })();
  await Promise.all([listing, matching, backfilling]);
  while ((await matchPendingAlerts(db.pool)) > 0);
  const shown = new Set(await shownListings(db, alertId));
  expect(added.filter((id) => !shown.has(id))).toEqual([]);
  expect(shown.size).toBeGreaterThanOrEqual(MATCHES_KEPT);
  expect(shown.size).toBeLessThanOrEqual(MATCHES_KEPT + added.length);
});
