import { afterEach, expect, it } from 'vitest';
import { setUpDatabase } from '../../../../test/database.ts';
import {
  emailParts,
  insertAlert,
  insertListing,
  insertMatch,
  insertPlan,
  insertSilentMatch,
  insertUser,
  recordingMailer,
  sendDueMails,
} from '../../../../test/mail/mail-fixtures.ts';
import { markListings, unmarkListings } from '../../../../test/matching/listing-marks.ts';

let alertId: number;

const db = setUpDatabase(async () => {
  await insertPlan(db.pool);
  alertId = await insertAlert(db.pool, await insertUser(db.pool));
});
afterEach(async () => {
  await db.pool.query('truncate listings, listings_to_match, matches, notifications, mails cascade');
  await db.pool.query('update alerts set last_mailed_at = null');
});

const silentMatch = (listingId: number) => insertSilentMatch(db.pool, alertId, listingId);

async function send(): Promise<string[][]> {
  const mailer = recordingMailer();
  await sendDueMails(emailParts(db, mailer));
  return mailer.mails.map(({ matchIds }) => matchIds);
}

it.each([
  ['was sold', { status: 'sold' }],
  ['became too dear', { price: 60_000 }],
])('announces a car that is listed twice, where the first listing %s before it was announced', async (_name, facts) => {
  const first = await insertListing(db.pool, { ...facts, car_id: 1 });
  await insertMatch(db.pool, alertId, first);
  const again = await insertListing(db.pool, { car_id: 1 });
  await silentMatch(again);
  expect(await send()).toEqual([[`${again}:${alertId}`]]);
  const rows = await db.rows('select listing_id, status from notifications');
  expect(rows).toEqual([{ listing_id: again, status: 'sent' }]);
  expect(await db.rows('select listing_id, announced from matches order by listing_id')).toEqual([
    { listing_id: first, announced: false },
    { listing_id: again, announced: true },
  ]);
});

it.each([
  ['is sold as well', "update listings set status = 'sold'"],
  ['became too dear', 'update listings set price = 60000'],
  ['was hidden by an edit', 'update matches set alert_version = 0 where not announced'],
  ['is another car', 'update listings set car_id = id'],
])('announces no car where the later listing %s', async (_name, sql) => {
  await insertMatch(db.pool, alertId, await insertListing(db.pool, { status: 'sold', car_id: 1 }));
  await silentMatch(await insertListing(db.pool, { car_id: 1 }));
  await db.pool.query(sql);
  expect(await send()).toEqual([]);
});

it('announces a car once, even if two of its listings are gone', async () => {
  for (let n = 0; n < 2; n += 1) {
    await insertMatch(db.pool, alertId, await insertListing(db.pool, { status: 'sold', car_id: 1 }));
  }
  const again = await insertListing(db.pool, { car_id: 1 });
  await silentMatch(again);
  expect(await send()).toEqual([[`${again}:${alertId}`]]);
});

it('does not announce a car again that another of its listings announces', async () => {
  const other = await insertListing(db.pool, { car_id: 1 });
  await insertMatch(db.pool, alertId, other);
  await insertMatch(db.pool, alertId, await insertListing(db.pool, { status: 'sold', car_id: 1 }));
  await silentMatch(await insertListing(db.pool, { car_id: 1 }));
  expect(await send()).toEqual([[`${other}:${alertId}`]]);
});

it('drops nothing while another listing of the car waits to be matched', async () => {
  await insertMatch(db.pool, alertId, await insertListing(db.pool, { status: 'sold', car_id: 1 }));
  const again = await insertListing(db.pool, { car_id: 1 });
  await markListings(db.pool, `id = ${again}`);
  expect(await send()).toEqual([]);
  expect(await db.rows('select status from notifications')).toEqual([{ status: 'waiting' }]);
  await silentMatch(again);
  await unmarkListings(db.pool);
  await db.pool.query('update notifications set due_at = now()');
  expect(await send()).toEqual([[`${again}:${alertId}`]]);
});
