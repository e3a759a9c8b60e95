import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { interceptPool } from '../../../../lab/intercept-statements.ts';
import {
  emailParts,
  insertMatch,
  insertUser,
  recordingMailer,
  sendDueMails,
  setUpMails,
} from '../../../../test/mail/mail-fixtures.ts';
import { changeListings, unmarkListings } from '../../../../test/matching/listing-marks.ts';
import { camry, camryAlert, insertAlerts, insertListings } from '../../../../test/matching/match-rows.ts';
import { makePool, type Pool } from '../../../base/database.ts';
import { matchPendingListings } from '../../../matching/match-listings.ts';
import { followChosenLayout } from '../../../placement/follow-layout.ts';

let alertId: number;
const { db } = setUpMails();
beforeEach(async () => {
  await db.pool.query('truncate alert_cells');
  [alertId = 0] = await insertAlerts(db.pool, await insertUser(db.pool), [camryAlert]);
});
const pools: Pool[] = [];
afterEach(async () => {
  for (const pool of pools.splice(0)) await pool.end();
});

/** A process that is held before or after one of its statements. */
function heldProcess(name: string, when: 'before' | 'after') {
  const reached = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const pool = makePool(db.url, 1);
  pools.push(pool);
  followChosenLayout(pool);
  const hold = async () => {
    reached.resolve();
    await released.promise;
  };
  interceptPool(pool, async (_client, statement, send) => {
    if (statement.name !== name) return send(statement);
    if (when === 'before') await hold();
    const answer = await send(statement);
    if (when === 'after') await hold();
    return answer;
  });
  return { pool, reached: reached.promise, release: released.resolve };
}

/** A car that was to be announced as a listing which is sold since. The alert shows another one of its listings. */
async function insertSoldCar(others: readonly number[]): Promise<number> {
  const ids = await insertListings(db.pool, [camry, ...others.map((price) => ({ ...camry, price }))]);
  const [sold = 0, ...shown] = ids;
  await db.pool.query(
    `update listings set car_id = $1, status = case when id = $1 then 'sold' else status end where id = any ($2::int8[])`,
    [sold, ids],
  );
  await unmarkListings(db.pool);
  await insertMatch(db.pool, alertId, sold, { price: camry.price });
  await db.pool.query(
    `insert into matches (listing_id, alert_id, user_id, alert_version, distance_miles, price, announced)
     select l.id, a.id, a.user_id, a.version, 8.8, l.price, false from listings l cross join alerts a
      where l.id = any ($1::int8[]) and a.id = $2`,
    [shown, alertId],
  );
  return sold;
}

async function relist(carId: number, price: number): Promise<void> {
  const [id] = await insertListings(db.pool, [{ ...camry, price }]);
  await db.pool.query('update listings set car_id = $1 where id = $2', [carId, id]);
}

/** Lets the car be listed again, and that listing be searched for, while a claim decides what becomes of its notification. */
async function searchWhileClaimed(claimHeldAt: string, relistOnce: () => Promise<void>): Promise<void> {
  const sender = heldProcess(claimHeldAt, 'before');
  const searcher = heldProcess('match-listings-fresh', 'after');
  let isSearched = false;
  const untilSearchWaits = async () => {
    while (!isSearched && (await db.lockWaits()) === 0) await sleep(10);
  };
  try {
    const sending = sendDueMails(emailParts(db, recordingMailer(), { pool: sender.pool }));
    await Promise.race([sender.reached, sending]);
    await relistOnce();
    const searching = matchPendingListings(searcher.pool);
    await Promise.race([searcher.reached, untilSearchWaits(), searching]);
    isSearched = true;
    sender.release();
    await sending;
    searcher.release();
    await searching;
  } finally {
    sender.release();
    searcher.release();
  }
  while ((await matchPendingListings(db.pool)) > 0);
}

const announced = () =>
  db.rows(
    `select l.price from notifications n join listings l on l.id = n.listing_id
      where n.status not in ('dropped', 'failed') order by n.id`,
  );

it('announces a car once that is listed again while its notification is reassigned', async () => {
  const carId = await insertSoldCar([9_000]);
  await searchWhileClaimed('notify-reassign', () => relist(carId, 9_400));
  expect(await announced()).toEqual([{ price: 9_000 }]);
});

it('announces a car that is listed again while its notification is dropped', async () => {
  const carId = await insertSoldCar([]);
  await searchWhileClaimed('notify-drop', () => relist(carId, 10_000));
  expect(await announced()).toEqual([{ price: 10_000 }]);
});

/** Lets the alert's other listing of the car stop to fit and fit again, while the first one's notification is dropped. */
async function announcedAfterChanges(): Promise<unknown[]> {
  const changeOther = async (price: number) => {
    await changeListings(db.pool, `price = ${price}`, { where: "status = 'for_sale'" });
    while ((await matchPendingListings(db.pool)) > 0);
  };
  await changeOther(60_000);
  await sendDueMails(emailParts(db, recordingMailer()));
  expect(await announced()).toEqual([]);
  await changeOther(9_000);
  return announced();
}

describe('a listing that was silent, as its car was to be announced as one that was sold,', () => {
  it('is announced when it fits again', async () => {
    await insertSoldCar([9_000]);
    expect(await announcedAfterChanges()).toEqual([{ price: 9_000 }]);
  });

  it.each([
    ['car was known before', "update matches set matched_at = now() - interval '1 hour' where not announced"],
    ['announcement was ended with its alert', "update notifications set status = 'dropped'"],
    ['announcement is a month old', "update notifications set created_at = now() - interval '31 days'"],
    ['announcement was one of a lower price', "update notifications set kind = 'price_drop'"],
  ])('is not where its %s', async (_name, sql) => {
    await insertSoldCar([9_000]);
    await db.pool.query(sql);
    expect(await announcedAfterChanges()).toEqual([]);
  });
});
