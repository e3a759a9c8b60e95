import { afterEach, expect, it } from 'vitest';
import { setUpDatabase } from '../../test/database.ts';
import { changeListings } from '../../test/matching/listing-marks.ts';
import { camry, insertListings, insertUsers } from '../../test/matching/match-rows.ts';
import { updateAlerts } from '../alerts/bulk-alerts.ts';
import { createAlert } from '../alerts/create-alert.ts';
import { updateAlert } from '../alerts/update-alert.ts';
import type { Gazetteer } from '../domain/places/places.ts';
import { matchPendingAlerts } from './match-alerts.ts';
import { matchPendingListings } from './match-listings.ts';

const there = { name: 'there', state: 'CA', zip: null, lat: 34, lng: -118, population: 1, label: 'there' };
const gazetteer: Gazetteer = { resolve: () => there, named: () => there, suggest: () => [] };
const deps = { gazetteer, now: new Date(), hasTexts: false };

let viewer: { id: number };
const db = setUpDatabase(async () => {
  const [id = 0] = await insertUsers(db.pool);
  viewer = { id };
});
afterEach(async () => {
  await db.pool.query('truncate alerts, alert_cells, listings, listings_to_match, matches, notifications');
});

async function makeAlert(): Promise<number> {
  const input = { make: 'toyota', model: 'camry', location: 'there', radius: 50, priceMax: 20_000 };
  const { id } = await createAlert(db.orm.em.fork(), deps, viewer, input);
  return id;
}
async function backfill(): Promise<void> {
  while ((await matchPendingAlerts(db.pool)) > 0);
}
const versions = async () =>
  (await db.rows('select alert_version as version from matches order by listing_id')).map(({ version }) => version);
const positions = async (): Promise<string[]> =>
  (await db.rows('select position::text from matches order by listing_id')).map(({ position }) => position);
const untilOneWaits = () => expect.poll(() => db.lockWaits()).toBe(1);

/** Starts a search that has read the alert before the edit, and waits for the pairs that the edit locks. */
async function searchDuringEdit(priceMax: number, price: number): Promise<void> {
  await makeAlert();
  await backfill();
  await insertListings(db.pool, [camry]);
  await matchPendingListings(db.pool);
  await changeListings(db.pool, 'price = $1', { values: [price] });
  const row = await db.row('select id from alerts');
  let searched: Promise<number> | undefined;
  await db.orm.em.fork().transactional(async (tx) => {
    await updateAlert(tx, deps, viewer, row?.id ?? 0, { priceMax });
    searched = matchPendingListings(db.pool);
    await untilOneWaits();
  });
  expect(await searched).toBe(1);
}

it('a search that began before an edit does not lower the version of pairs that the edit has judged', async () => {
  await searchDuringEdit(19_000, 9_000);
  expect(await versions()).toEqual([2]);
  await backfill();
  expect(await versions()).toEqual([2]);
});

it('a search that began before an edit does not hide pairs that fit the edit', async () => {
  await searchDuringEdit(30_000, 25_000);
  expect(await versions()).toEqual([2]);
  await backfill();
  expect(await versions()).toEqual([2]);
});

it('an edit judges the newest pairs up to its budget, and the backfill shows the others', async () => {
  const id = await makeAlert();
  await backfill();
  for (const car of [camry, camry, camry]) {
    await insertListings(db.pool, [car]);
    await matchPendingListings(db.pool);
  }
  const before = await positions();
  await updateAlert(db.orm.em.fork(), deps, viewer, id, { priceMax: 21_000 }, { left: 2 });
  expect(await versions()).toEqual([1, 2, 2]);
  expect(await positions()).toEqual(before);
  await backfill();
  expect(await versions()).toEqual([2, 2, 2]);
  const [moved = '', ...kept] = await positions();
  expect(kept).toEqual(before.slice(1));
  expect(BigInt(moved)).toBeGreaterThan(BigInt(before[2] ?? ''));
});

it('an edit hides at once pairs that no longer fit', async () => {
  const id = await makeAlert();
  await insertListings(db.pool, [camry]);
  await matchPendingListings(db.pool);
  expect(await versions()).toEqual([1]);
  await updateAlert(db.orm.em.fork(), deps, viewer, id, { priceMax: 9_000 });
  expect(await versions()).toEqual([0]);
});

it('an edit during a search hides pairs that no longer fit, by the current facts of the car', async () => {
  await searchDuringEdit(19_500, 19_800);
  await backfill();
  expect(await versions()).toEqual([0]);
});

it('an edit of many alerts locks no pairs while it waits for an alert', async () => {
  const ids = [await makeAlert(), await makeAlert()];
  await backfill();
  await insertListings(db.pool, [camry]);
  await matchPendingListings(db.pool);
  const other = await db.pool.connect();
  await other.query('begin');
  await other.query('select from alerts where id = $1 and user_id = $2 for update', [ids[1], viewer.id]);
  const edited = updateAlerts(
    db.orm.em.fork(),
    deps,
    viewer,
    ids.map((id) => ({ id, priceMax: 15_000 })),
  );
  await untilOneWaits();
  await other.query('select from matches where user_id = $1 for update nowait', [viewer.id]);
  await other.query('commit');
  other.release();
  expect((await edited).map(({ error }) => error)).toEqual([null, null]);
  expect(await versions()).toEqual([2, 2]);
});

it('an edit of many alerts has the same budget of pairs as that of one', async () => {
  const ids = [await makeAlert(), await makeAlert()];
  await backfill();
  await insertListings(
    db.pool,
    Array.from({ length: 1_050 }, () => camry),
  );
  while ((await matchPendingListings(db.pool)) > 0);
  await updateAlerts(
    db.orm.em.fork(),
    deps,
    viewer,
    ids.map((id) => ({ id, priceMax: 19_000 })),
  );
  const judged = async () => (await versions()).filter((version) => version === 2).length;
  expect(await judged()).toBe(2_000);
  await backfill();
  expect(await judged()).toBe(2_100);
});

it('an edit does not wait for a search, and leaves its locked pairs to the backfill', async () => {
  const id = await makeAlert();
  await backfill();
  await insertListings(db.pool, [camry, { ...camry, price: 11_000 }]);
  await matchPendingListings(db.pool);
  const search = await db.pool.connect();
  await search.query('begin');
  await search.query(
    'select from matches where user_id = $1 and listing_id = (select min(listing_id) from matches where user_id = $1) for update',
    [viewer.id],
  );
  await updateAlert(db.orm.em.fork(), deps, viewer, id, { priceMax: 15_000 });
  expect(await versions()).toEqual([1, 2]);
  await search.query('commit');
  search.release();
  await backfill();
  expect(await versions()).toEqual([2, 2]);
});
