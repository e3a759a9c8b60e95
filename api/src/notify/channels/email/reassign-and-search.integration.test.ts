import { setTimeout as sleep } from 'node:timers/promises';
import { beforeEach, describe, expect, it } from 'vitest';
import { stoppedWorker } from '../../../../lab/intercept-statements.ts';
import {
  emailParts,
  insertMatch,
  insertSilentMatch,
  insertUser,
  recordingMailer,
  sendDueMails,
  setUpMails,
} from '../../../../test/mail/mail-fixtures.ts';
import { changeListings, unmarkListings } from '../../../../test/matching/listing-marks.ts';
import { camry, camryAlert, insertAlerts, insertListings } from '../../../../test/matching/match-rows.ts';
import { matchPendingListings } from '../../../matching/match-listings.ts';

let alertId: number;
const { db } = setUpMails();
beforeEach(async () => {
  await db.pool.query('truncate alert_cells');
  [alertId = 0] = await insertAlerts(db.pool, await insertUser(db.pool), [camryAlert]);
});
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
  for (const id of shown) await insertSilentMatch(db.pool, alertId, id);
  return sold;
}

async function relist(carId: number, price: number): Promise<void> {
  const [id] = await insertListings(db.pool, [{ ...camry, price }]);
  await db.pool.query('update listings set car_id = $1 where id = $2', [carId, id]);
}

/** Lets the car be listed again, and that listing be searched for, while a claim decides what becomes of its notification. */
async function searchWhileClaimed(claimHeldAt: string, relistOnce: () => Promise<void>): Promise<void> {
  const sender = stoppedWorker(db.url, { statement: claimHeldAt, when: 'before' });
  const searcher = stoppedWorker(db.url, { statement: 'match-listings-fresh', when: 'after' });
  let isSearched = false;
  const untilSearchWaits = async () => {
    while (!isSearched && (await db.lockWaits()) === 0) await sleep(10);
  };
  try {
    const sending = sendDueMails(emailParts(db, recordingMailer(), { pool: sender.pool }));
    await Promise.race([sender.stopped, sending]);
    await relistOnce();
    const searching = matchPendingListings(searcher.pool);
    await Promise.race([searcher.stopped, untilSearchWaits(), searching]);
    isSearched = true;
    sender.release();
    await sending;
    searcher.release();
    await searching;
  } finally {
    for (const worker of [sender, searcher]) {
      worker.release();
      await worker.pool.end();
    }
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
