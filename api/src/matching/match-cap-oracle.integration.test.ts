import { afterAll, beforeAll, expect, it } from 'vitest';
import { makeRandom } from '../../lab/random.ts';
import { makeTestDatabase, type TestDatabase } from '../../test/database.ts';
import { noteAlert, shownListings } from '../../test/matching/many-matches.ts';
import {
  camry,
  camryAlert,
  insertAlerts,
  insertListings,
  insertUsers,
  type TestAlert,
  type TestListing,
} from '../../test/matching/match-rows.ts';
import { oracleFits } from '../../test/matching/match-world.ts';
import { untilDone } from '../../test/until-done.ts';
import { MATCHES_KEPT } from '../domain/match-cap.ts';
import { matchPendingAlerts } from './match-alerts.ts';
import { matchPendingListings } from './match-listings.ts';
import { trimMatches } from './trim-matches.ts';

const LISTINGS = 2_600;
const random = makeRandom(105);
const between = (from: number, to: number) => from + random() * (to - from);
const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;

/** Cars of one city, of which alerts want nearly all to hardly any. */
const car = (): TestListing => ({
  ...camry,
  model: pick(['camry', 'camry', 'corolla']),
  year: pick([null, 2012, 2016, 2020]),
  price: pick([null, 5_000, 10_000, 15_000, 19_999]),
  color: pick([null, 'red', 'blue']),
  imageUrl: pick([null, 'https://photos.example/1.jpg', 'https://photos.example/2.jpg']),
  lat: between(33.6, 34.5),
  lng: between(-118.9, -117.5),
});
const alert = (): TestAlert => ({
  ...camryAlert,
  model: pick([null, 'camry']),
  yearMin: pick([null, null, 2014]),
  priceMax: pick([null, 12_000, 20_000]),
  color: pick([null, null, 'red']),
  onlyWithImages: pick([true, false]),
  radius: pick([25, 50, 100]),
});

const listings = Array.from({ length: LISTINGS }, car);
const alerts = [
  ...Array.from({ length: 25 }, alert),
  { ...camryAlert, model: null, priceMax: null, onlyWithImages: false },
];
/** Days before now, in an order that is not that of the listings. */
const daysAgo = (at: number) => (((at * 1_009) % LISTINGS) / LISTINGS) * 13.5;

let db: TestDatabase;
let alertIds: number[];
let listingIds: number[];
beforeAll(async () => {
  db = await makeTestDatabase();
  const [userId = 0] = await insertUsers(db.pool);
  alertIds = await insertAlerts(db.pool, userId, alerts);
  listingIds = await insertListings(db.pool, listings);
  await db.pool.query(
    `with k as materialized (
       select id, now() - days * interval '1 day' as at from unnest($1::int8[], $2::float8[]) k (id, days)
     )
     update listings l set seen_at = k.at from k where l.id = k.id`,
    [listingIds, listings.map((_, at) => daysAgo(at))],
  );
}, 60_000);
afterAll(() => db.close());

/** @param newest orders listings by their index, the newest first */
async function expectNewest(newest: (a: number, b: number) => number): Promise<void> {
  let capped = 0;
  for (const [at, id] of alertIds.entries()) {
    const fitting = listings.flatMap((listing, index) => (oracleFits(alerts[at] as TestAlert, listing) ? index : []));
    const kept = fitting.sort(newest).slice(0, MATCHES_KEPT);
    if (fitting.length > kept.length) capped += 1;
    expect(await shownListings(db, id)).toEqual(kept.map((index) => listingIds[index]).sort((a = 0, b = 0) => a - b));
  }
  expect(capped).toBeGreaterThan(4);
  expect(capped).toBeLessThan(alerts.length);
  expect((await db.row('select count(*)::int4 as n from alerts where is_capped'))?.n).toBe(capped);
}

it('the search for listings and the clean-up leave the oracle’s newest pairs', async () => {
  while ((await matchPendingListings(db.pool)) > 0);
  await db.pool.query(`update notifications set status = 'sent'`);
  for (const id of alertIds) await noteAlert(db, id);
  await untilDone(db.pool, trimMatches);
  // They were found in the order of their ids.
  await expectNewest((a, b) => b - a);
}, 60_000);

it('the search for alerts finds the oracle’s newest pairs', async () => {
  await db.pool.query('truncate matches');
  await db.pool.query('update alerts set pending_match = true, is_capped = false');
  while ((await matchPendingAlerts(db.pool)) > 0);
  await expectNewest((a, b) => daysAgo(a) - daysAgo(b));
}, 60_000);

it('the search for alerts that have matches finds the oracle’s newest pairs', async () => {
  await db.pool.query('update alerts set pending_match = true, version = version + 1');
  await db.pool.query('delete from matches where listing_id % 3 = 0');
  while ((await matchPendingAlerts(db.pool)) > 0);
  await expectNewest((a, b) => daysAgo(a) - daysAgo(b));
}, 60_000);
