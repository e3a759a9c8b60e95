import { describe, expect, it } from 'vitest';
import { insertAlert } from '../../../../test/mail/mail-fixtures.ts';
import { insertDevice, insertDuePush, setUpPushes } from '../../../../test/push/push-fixtures.ts';
import { purge } from '../../../../test/until-done.ts';
import { DISMISSED } from '../../../entities/notification-rules.ts';
import { readNotificationLog } from '../../read-log.ts';
import { claimAlert } from './claim-pushes.ts';
import { renderPushes } from './render-pushes.ts';

const site = { publicUrl: 'https://lotwatch.example', secret: 'a secret of this test that is long enough' };
const { db, pushed, run, retry, pusher, statuses, used: here } = setUpPushes();

it('a browser that another user has added after the claim does not get the message', async () => {
  const { alertId, userId, ids } = await pushed({ devices: 2 });
  const other = await pushed({ devices: 0 });
  const { claims } = await claimAlert(db.pool, { alertId, userId }, false);
  const rendered = async () =>
    (await renderPushes(db.pool, site, claims)).map((one) => one?.devices.map(({ id }) => id) ?? null);
  expect(await rendered()).toEqual([ids]);
  const move = async (id: number | undefined) => {
    const moved = await db.row(
      'delete from push_subscriptions where id = $1 and user_id = $2 returning endpoint, p256dh, auth',
      [id, userId],
    );
    await insertDevice(db.pool, other.userId, moved);
  };
  await move(ids[0]);
  expect(await rendered()).toEqual([[ids[1]]]);
  await move(ids[1]);
  expect(await rendered()).toEqual([null]);
});

describe('a push service that does not answer for one device', () => {
  /** As if it had failed often, so that it is left alone for longer than any test takes. */
  const failedBefore = (id: number | undefined, failures = 8) =>
    db.pool.query('update push_subscriptions set failures = $2, failing_since = now() where id = $1', [id, failures]);
  /** What a run says is when to look again, which is sooner while claims are slow. */
  const nextTryInMs = async () =>
    (
      await db.row(
        `select (extract(epoch from min(next_try_at) - now()) * 1000)::float8 as ms from pushes where status = 'waiting'`,
      )
    ).ms;
  const callsTo = (path: string | undefined) => here.service.requests.filter((one) => one === path).length;

  it('is called once, however many messages come for it, and all of them reach the other device', async () => {
    const { userId, browsers, ids } = await pushed({ devices: 2 });
    for (let n = 0; n < 5; n += 1)
      await insertDuePush(db.pool, await insertAlert(db.pool, userId, { push_notifications: true }));
    const [laptop, phone] = browsers.map(({ path }) => path);
    await failedBefore(ids[0]);
    here.service.answer = (path) => (path === laptop ? 'hang' : 201);
    await run();
    expect([callsTo(laptop), callsTo(phone), here.service.accepted.length]).toEqual([1, 6, 6]);
    expect(await nextTryInMs()).toBeGreaterThan(60_000);
    here.service.answer = () => 201;
    await retry();
    await run();
    expect([callsTo(laptop), callsTo(phone), here.service.stored(laptop ?? '').length]).toEqual([7, 6, 6]);
    expect(await db.rows('select failures, failing_since, retry_at, last_error from push_subscriptions')).toEqual(
      ids.map(() => ({ failures: 0, failing_since: null, retry_at: null, last_error: null })),
    );
  });

  it('is called after a delay that grows with each failure, and not with a refusal', async () => {
    const { ids } = await pushed();
    await failedBefore(ids[0], 4);
    here.service.answer = () => 503;
    const row = () =>
      db.row(
        `select failures, extract(epoch from retry_at - now())::float8 as seconds, failing_since is not null as failing
           from push_subscriptions where id = $1`,
        [ids[0]],
      );
    const delays: number[] = [];
    for (let n = 0; n < 4; n += 1) {
      await run();
      delays.push((await row()).seconds);
      await retry();
    }
    delays.forEach((delay, at) => {
      expect(delay).toBeGreaterThan(80 * 2 ** at - 40);
      expect(delay).toBeLessThanOrEqual(80 * 2 ** at);
    });
    here.service.answer = () => 403;
    await run();
    expect(await row()).toEqual({ failures: 8, seconds: null, failing: true });
  });

  it('leaves workers to others, also where many do so at once', async () => {
    const failing = await Promise.all(Array.from({ length: 40 }, () => pushed()));
    for (const { ids } of failing) await failedBefore(ids[0]);
    const well = await pushed();
    here.service.answer = (path) => (path === well.browsers[0]?.path ? 201 : 'hang');
    let open = 0;
    let most = 0;
    const real = pusher();
    await run({
      pusher: {
        ...real,
        async send(...call) {
          open += 1;
          most = Math.max(most, open);
          return real.send(...call).finally(() => {
            open -= 1;
          });
        },
      },
    });
    expect(here.service.accepted).toHaveLength(1);
    expect(most).toBeLessThanOrEqual(17);
    expect(await nextTryInMs()).toBeGreaterThan(30_000);
    // Those that find no room are looked at later, and were not tried.
    expect((await db.row('select sum(attempts - attempts_before)::int4 as tries from pushes')).tries).toBe(
      here.service.requests.length,
    );
  });
});

it('a new message is called before all those that are tried again', async () => {
  const old = await Promise.all(Array.from({ length: 40 }, () => pushed()));
  here.service.answer = () => 503;
  await run();
  await retry();
  await db.pool.query('update push_subscriptions set failures = 0');
  here.service.requests = [];
  here.service.answer = () => 201;
  const { browsers } = await pushed();
  await run();
  expect(here.service.requests).toHaveLength(old.length + 1);
  expect(here.service.requests.indexOf(browsers[0]?.path ?? '')).toBeLessThan(30);
});

it('a sale that is tried again is not told of a car that was dismissed meanwhile', async () => {
  const { userId, listingId } = await pushed();
  await db.pool.query('insert into saved_listings (user_id, listing_id) values ($1, $2)', [userId, listingId]);
  await db.pool.query("update listings set status = 'sold' where id = $1", [listingId]);
  await db.pool.query("update notifications set kind = 'sold'");
  here.service.answer = () => 503;
  expect(await run()).toMatchObject({ deferred: 1 });
  await db.pool.query('update matches set alert_version = $1', [DISMISSED]);
  await retry();
  expect(await run()).toMatchObject({ dropped: 1 });
  expect([here.service.requests.length, await statuses()]).toEqual([1, ['dropped']]);
});

describe('a message whose only device waits', () => {
  const waiting = async (failures: number) => {
    const made = await pushed();
    await db.pool.query(
      `update push_subscriptions set failures = $1, failing_since = now(), retry_at = now() + interval '1 hour'`,
      [failures],
    );
    expect(await run()).toMatchObject({ deferred: 1 });
    return made;
  };
  const due = (change = '') => db.pool.query(`update pushes set next_try_at = now() ${change}`);

  it('was not tried, so its car is announced again if it fits again', async () => {
    const { listingId } = await waiting(1);
    await due();
    await db.pool.query("update listings set status = 'sold' where id = $1", [listingId]);
    expect(await run()).toMatchObject({ dropped: 1 });
    expect([here.service.requests, await statuses()]).toEqual([[], ['dropped']]);
    expect(await db.rows('select announced from matches')).toEqual([{ announced: false }]);
  });

  it('is given up after a day only if that many calls to the device have failed', async () => {
    await waiting(3);
    const old = ", attempts = attempts_before + 11, created_at = now() - interval '2 days'";
    await due(old);
    expect(await run()).toMatchObject({ deferred: 1 });
    expect(await db.rows('select status, attempts - attempts_before as tries from pushes')).toEqual([
      { status: 'waiting', tries: 11 },
    ]);
    await db.pool.query('update push_subscriptions set failures = 12');
    await due(', attempts = attempts_before');
    expect(await run()).toMatchObject({ failed: 1, nextInMs: null });
  });

  it('counts as tried where the shutdown ended the call, as the device may have got it', async () => {
    await pushed();
    const stop = new AbortController();
    here.service.answer = () => {
      stop.abort();
      return 'hang';
    };
    await run({ signal: stop.signal });
    expect(here.service.requests).toHaveLength(1);
    expect(await db.rows('select status, attempts from pushes')).toEqual([{ status: 'waiting', attempts: 1 }]);
  });
});

it('old push messages are deleted', async () => {
  await pushed({ devices: 2 });
  await run();
  await db.pool.query(
    "insert into pushes (id, user_id, alert_id, kind, devices, status, next_try_at) select gen_random_uuid(), user_id, alert_id, kind, devices, 'waiting', now() + interval '1 day' from pushes",
  );
  await db.pool.query("update pushes set created_at = now() - interval '13 months'");
  await pushed();
  await run();
  await purge(db.pool, 'old-pushes');
  expect(await db.rows('select status from pushes order by status')).toEqual([
    { status: 'sent' },
    { status: 'waiting' },
  ]);
});

it('a device is deleted that accepted nothing for a month, though it was called lately', async () => {
  const { ids } = await pushed({ devices: 3 });
  const [dead, failing, unused] = ids;
  here.service.answer = () => 503;
  await run();
  const left = async () => (await db.rows('select id from push_subscriptions order by id')).map(({ id }) => Number(id));
  const failedBefore = (id: number | undefined, since: string) =>
    db.pool.query('update push_subscriptions set failing_since = now() - $2::interval where id = $1', [id, since]);
  await failedBefore(dead, '31 days');
  await failedBefore(failing, '29 days');
  await failedBefore(unused, '31 days');
  await db.pool.query("update push_subscriptions set last_failed_at = now() - interval '8 days' where id = $1", [
    unused,
  ]);
  await purge(db.pool, 'failing-push-subscriptions');
  expect(await left()).toEqual([failing, unused]);
});

describe('where no device gets the messages of the owner', () => {
  const reasons = async (userId: number) =>
    (await readNotificationLog(db.pool, { userId, first: 5, confirmEmail: false })).nodes.map(({ status, reason }) => [
      status,
      reason,
    ]);

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
