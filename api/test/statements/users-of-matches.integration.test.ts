import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { findCarForLink } from '../../src/alerts/dismiss-car.ts';
import { DISMISSED } from '../../src/entities/notification-rules.ts';
import { readRecentListingIds } from '../../src/listings/car-offers.ts';
import { readPair } from '../../src/listings/find-listings.ts';
import { readListingsForBuyers, readMatchedListings } from '../../src/listings/listing-for-buyer.ts';
import { readMatchPoints } from '../../src/listings/match-map.ts';
import { countNewOfAlerts, countNewOfUser } from '../../src/listings/new-cars.ts';
import { readSortedMatches } from '../../src/listings/sorted-matches.ts';
import { readMatch, readMatchPage, withMatchCount } from '../../src/live/read-matches.ts';
import { findAffectedUsers, readMatchLog } from '../../src/live/read-subscribers.ts';
import { knowsListing, lockAlertsOfCar } from '../../src/matching/dismiss-pairs.ts';
import { readNewMatches, readNotifiedMatches } from '../../src/webhooks/events/read-new-matches.ts';
import { setUpDatabase } from '../database.ts';
import { insertMatches } from '../factories.ts';
import { insertAlert, insertListing, insertPlan, insertUser } from '../mail/mail-fixtures.ts';

let userId = 0;
let otherId = 0;
let alertId = 0;
let listingId = 0;
let position = '';
const db = setUpDatabase(async () => {
  await insertPlan(db.pool);
  userId = await insertUser(db.pool, { username: 'ana' });
  otherId = await insertUser(db.pool, { username: 'bo' });
  alertId = await insertAlert(db.pool, userId);
  listingId = await insertListing(db.pool, { lat: 34, lng: -118 });
  await db.pool.query(
    `update alerts set backfill_requested_at = now() - interval '1 day';
     insert into webhooks (user_id, url, events, secret_ciphertext) select id, 'https://x', '{match.created}', '' from users;
     insert into webhook_positions (user_id, position) select id, 0 from users`,
  );
});

/** Makes the match one of this user, at the same position. A cluster moves no row from one user to another. */
async function giveTo(owner: number): Promise<void> {
  await db.pool.query('truncate matches');
  await db.pool.query(
    `insert into matches (listing_id, alert_id, user_id, alert_version, distance_miles, announced, position)
     values ($1, $2, $3, 1, 12.34, true, $4)`,
    [listingId, alertId, owner, position],
  );
}

beforeAll(async () => {
  await insertMatches(db.pool, alertId, [listingId]);
  ({ position } = await db.row('select position::text from matches'));
});
beforeEach(() => giveTo(userId));

const first = 10;
const notice = () => ({ position, listings: [listingId] });

/** Each reads how many matches it finds for the user. */
const readers: Record<string, () => Promise<number>> = {
  page: async () => (await readMatchPage(db.pool, { userId, first })).rows.length,
  'sorted page': async () =>
    (await readSortedMatches(db.pool, { userId, alertId, first }, { sort: 'price', only: [] })).rows.length,
  'page of new cars': async () =>
    (await readSortedMatches(db.pool, { userId, alertId, first }, { sort: 'newest', only: ['new'] })).rows.length,
  match: async () => Number((await readMatch(db.pool, { id: alertId, userId }, listingId)) !== null),
  count: async () => (await db.row(`select c.count from alerts a ${withMatchCount} where a.id = ${alertId}`)).count,
  'count of new cars': async () => (await countNewOfAlerts(db.pool, [{ id: alertId, userId }]))[0]?.count ?? 0,
  'count of new cars of a user': () => countNewOfUser(db.pool, userId),
  map: async () => (await readMatchPoints(db.pool, { userId, alertId }, [])).length,
  'listing for a buyer': async () =>
    (await readListingsForBuyers(db.pool, [{ userId, id: listingId }]))[0]?.alertIds.length ?? 0,
  'matched listings': async () => (await readMatchedListings(db.pool, [{ userId, id: listingId }])).length,
  'recent listings': async () => (await readRecentListingIds(db.pool, userId)).length,
  explanation: async () => Number((await readPair(db.pool, { id: alertId, userId }, listingId))?.match === 'shown'),
  'link to a car': async () => Number((await findCarForLink(db.pool, { alertId, userId, listingId })) !== null),
  'alerts of a car': async () => (await lockAlertsOfCar(db.pool, { userId, listingId })).length,
  'known listing': async () => Number(await knowsListing(db.pool, { userId, listingId }, true)),
  'live notice': async () => (await findAffectedUsers(db.pool, [notice()], [userId])).length,
  log: async () => (await readMatchLog(db.pool, { userId, alertId: null, first, after: null })).nodes.length,
  'events of a dealer': async () => (await readNewMatches(db.pool, [userId])).length,
  'events of a notice': async () =>
    (await readNotifiedMatches(db.pool, [notice()])).matches.filter((match) => match.userId === userId).length,
};

describe.each(Object.entries(readers))('the %s', (_name, read) => {
  it('has a match of the user, and none that is of another one', async () => {
    expect(await read()).toBe(1);
    await giveTo(otherId);
    expect(await read()).toBe(0);
  });
});

it('a car that another user has dismissed is not hidden', async () => {
  await giveTo(otherId);
  await db.pool.query(`update matches set alert_version = ${DISMISSED}`);
  expect((await readListingsForBuyers(db.pool, [{ userId, id: listingId }]))[0]?.hidden).toBe(false);
});
