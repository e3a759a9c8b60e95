import { describe, expect, it } from 'vitest';
import { insertDevice, insertDuePush, setUpPushes } from '../../../../test/push/push-fixtures.ts';
import { readNotificationLog } from '../../read-log.ts';
import { claimAlert } from './claim-pushes.ts';
import { renderPushes } from './render-pushes.ts';

const site = { publicUrl: 'https://lotwatch.example', secret: 'a secret of this test that is long enough' };
const { db, pushed, run, retry, used: here } = setUpPushes();

it('a browser that another user has added after the claim does not get the message', async () => {
  const { alertId, ids } = await pushed({ devices: 2 });
  const other = await pushed({ devices: 0 });
  const { claims } = await claimAlert(db.pool, alertId, false);
  const rendered = async () =>
    (await renderPushes(db.pool, site, claims)).map((one) => one?.devices.map(({ id }) => id) ?? null);
  expect(await rendered()).toEqual([ids]);
  const move = (id: number | undefined) =>
    db.pool.query('update push_subscriptions set user_id = $1 where id = $2', [other.userId, id]);
  await move(ids[0]);
  expect(await rendered()).toEqual([[ids[1]]]);
  await move(ids[1]);
  expect(await rendered()).toEqual([null]);
});

describe('where no device gets the messages of the owner', () => {
  const reasons = async (userId: number) =>
    (await readNotificationLog(db.pool, { userId, first: 5 })).nodes.map(({ status, reason }) => [status, reason]);

  it('the log says why nothing was sent', async () => {
    const { userId } = await pushed({ devices: 0 });
    expect(await run()).toMatchObject({ sent: 0, nextInMs: null });
    expect(await reasons(userId)).toEqual([['dropped', 'no_device']]);
  });

  it('it says so also where the last device was removed before another attempt', async () => {
    const { userId } = await pushed();
    here.service.answer = () => 503;
    await run();
    await db.pool.query('delete from push_subscriptions');
    await retry();
    await run();
    expect(await reasons(userId)).toEqual([['dropped', 'no_device']]);
  });

  it('a rule of delivery holds the message nevertheless, for a device that is added meanwhile', async () => {
    const { userId, alertId } = await pushed({
      devices: 0,
      alert: { snoozed_until: new Date(Date.now() + 3_600_000) },
    });
    await run();
    expect(await reasons(userId)).toEqual([['waiting', 'snoozed']]);
    await insertDevice(db.pool, userId, here.service.subscribe(here.publicKey).subscription);
    await db.pool.query('update alerts set snoozed_until = null where id = $1', [alertId]);
    await db.pool.query('update notifications set due_at = now()');
    expect(await run()).toMatchObject({ sent: 1 });
  });

  it('a car that no longer fits is dropped for that, beside one that has no device to go to', async () => {
    const { userId, alertId } = await pushed({ devices: 0 });
    await insertDuePush(db.pool, alertId, { price: 90_000 });
    await run();
    expect(await reasons(userId)).toEqual([
      ['dropped', null],
      ['dropped', 'no_device'],
    ]);
  });
});
