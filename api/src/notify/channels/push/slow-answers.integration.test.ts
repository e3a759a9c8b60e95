import { describe, expect, it } from 'vitest';
import { setUpPushes } from '../../../../test/push/push-fixtures.ts';
import { startPushService } from '../../../../test/push/push-service.ts';

const { db, engine, pushed, pusher, retry, run, statuses, used: here } = setUpPushes();
/** Longer than a test, so that only the test ends a call. */
const PATIENT_MS = 60_000;

describe('a device that is gone', () => {
  /** Delivers a message to two devices, of which the first is gone and the second answers when the test says so. */
  const delivering = async () => {
    const { browsers, ids } = await pushed({ devices: 2 });
    const [gone, slow] = browsers.map(({ path }) => path);
    const answer = Promise.withResolvers<number>();
    here.service.answer = (path) => (path === gone ? 410 : answer.promise);
    const delivery = engine({ pusher: pusher(PATIENT_MS) });
    await delivery.run();
    await expect.poll(() => here.service.requests.toSorted()).toEqual([gone, slow].toSorted());
    const finish = (status: number) => {
      answer.resolve(status);
      return delivery.idle();
    };
    return { ids, finish };
  };
  const devices = async () => (await db.rows('select id from push_subscriptions')).map(({ id }) => Number(id));
  const messages = () => db.rows('select status, devices, error, sent_at is not null as sent from pushes');

  it('is removed while another device has not answered, and the message is sent when that one has', async () => {
    const { ids, finish } = await delivering();
    await expect.poll(devices).toEqual([ids[1]]);
    expect(await statuses()).toEqual(['sending']);
    await finish(201);
    expect(await statuses()).toEqual(['sent']);
    expect(await messages()).toEqual([{ status: 'sent', devices: ids, error: null, sent: true }]);
  });

  it('leaves a message that is tried again to the other device alone', async () => {
    const { ids, finish } = await delivering();
    await expect.poll(devices).toEqual([ids[1]]);
    await finish(503);
    const error = 'The push service answered 503';
    expect(await messages()).toEqual([{ status: 'waiting', devices: [ids[1]], error, sent: false }]);
  });

  it('is removed with the result of the message where it could not be removed before', async () => {
    const { ids, finish } = await delivering();
    await expect.poll(devices).toEqual([ids[1]]);
    await db.pool.query(
      `insert into push_subscriptions (id, user_id, endpoint, p256dh, auth) overriding system value
       select $1, user_id, endpoint || '/again', p256dh, auth from push_subscriptions`,
      [ids[0]],
    );
    await finish(201);
    expect(await devices()).toEqual([ids[1]]);
  });
});

it('a push service that has just stopped answering leaves workers to the devices of others', async () => {
  const silent = await startPushService();
  try {
    const answer = Promise.withResolvers<number>();
    silent.answer = () => answer.promise;
    for (let n = 0; n < 70; n += 1) await pushed({ service: silent });
    await db.pool.query("update notifications set due_at = now() - interval '1 minute'");
    for (let n = 0; n < 5; n += 1) await pushed();
    const delivery = engine({ pusher: pusher(PATIENT_MS) });
    await delivery.run();
    await expect.poll(() => here.service.accepted.length).toBe(5);
    expect(silent.requests).toHaveLength(48);
    answer.resolve(201);
    await delivery.idle();
    const counts =
      'select status, count(*)::int4 as n, sum(attempts - attempts_before)::int4 as tries from pushes group by 1 order by 1';
    expect(await db.rows(counts)).toEqual([
      { status: 'sent', n: 53, tries: 53 },
      { status: 'waiting', n: 22, tries: 0 },
    ]);
    await retry();
    await run();
    expect(silent.accepted).toHaveLength(70);
    expect(await statuses()).toEqual(Array.from({ length: 75 }, () => 'sent'));
  } finally {
    await silent.close();
  }
});
