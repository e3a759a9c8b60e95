import { expect, it } from 'vitest';
import { markListings, unmarkListings } from '../../../../test/matching/listing-marks.ts';
import { insertDuePush, setUpPushes } from '../../../../test/push/push-fixtures.ts';

const { db, pushed, run, retry, statuses, used: here } = setUpPushes();

it('a message that one device has got is sent, though its car is sold before the other gets it', async () => {
  const { browsers, alertId, listingId } = await pushed({ devices: 2 });
  await insertDuePush(db.pool, alertId);
  here.service.answer = (path) => (path === browsers[0]?.path ? 503 : 201);
  await run();
  await db.pool.query("update listings set status = 'sold' where id = $1", [listingId]);
  here.service.answer = () => 201;
  await retry();
  await run();
  // The other device gets the car that is still there.
  expect(here.service.accepted.map(({ payload }) => payload.title.startsWith('2 cars'))).toEqual([true, false]);
  expect(await statuses()).toEqual(['sent', 'sent']);
  expect(await db.rows('select distinct announced from matches')).toEqual([{ announced: true }]);
});

it('and where the other device gets nothing, as no car is left', async () => {
  const { browsers, listingId } = await pushed({ devices: 2 });
  here.service.answer = (path) => (path === browsers[0]?.path ? 503 : 201);
  await run();
  await db.pool.query("update listings set status = 'sold' where id = $1", [listingId]);
  await retry();
  await run();
  expect([here.service.accepted.length, await statuses()]).toEqual([1, ['sent']]);
  expect(await db.rows('select status from pushes')).toEqual([{ status: 'sent' }]);
});

it('a message waits where one of its cars that was sold is about to be searched for', async () => {
  const { alertId, listingId } = await pushed({ devices: 1 });
  await insertDuePush(db.pool, alertId);
  here.service.answer = () => 503;
  await run();
  await db.pool.query("update listings set status = 'sold' where id = $1", [listingId]);
  await markListings(db.pool, `id = ${listingId}`);
  here.service.answer = () => 201;
  await retry();
  expect(await run()).toMatchObject({ sent: 0, deferred: 1 });
  await unmarkListings(db.pool);
  await retry();
  await run();
  expect(here.service.accepted.map(({ payload }) => payload.title.startsWith('2 cars'))).toEqual([false]);
});
