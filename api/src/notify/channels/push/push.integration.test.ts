import { describe, expect, it } from 'vitest';
import { insertAlert, insertMatch } from '../../../../test/mail/mail-fixtures.ts';
import { insertDuePush, setUpPushes, vapidEncryption } from '../../../../test/push/push-fixtures.ts';
import { makeEncryption } from '../../../base/encryption.ts';
import { readVapidKeys } from './vapid-keys.ts';

const used = setUpPushes();
const { db, all, statuses, pushed, run, retry, used: here } = used;

const payloads = () => here.service.accepted.map(({ payload }) => payload);

it('a match is delivered encrypted and signed, as a card with title, price, place and photo', async () => {
  const { alertId, listingId, browsers } = await pushed();
  expect(await run()).toMatchObject({ sent: 1, nextInMs: null });
  expect(here.service.faults).toEqual([]);
  const [push] = here.service.accepted;
  expect(push).toMatchObject({ path: browsers[0]?.path, ttlSeconds: 86_400, urgency: 'high' });
  expect(push?.payload).toEqual({
    title: '2018 Toyota Camry SE · $15,400',
    body: 'Pasadena, CA · 8.8 mi away\nToyota Camry near Los Angeles, CA',
    url: `https://lotwatch.example/alert/${alertId}?car=${listingId}`,
    image: expect.stringMatching(`^https://lotwatch.example/photos/${listingId}-.*&w=640&format=jpeg$`),
    tag: expect.stringMatching(/^[0-9a-f-]{36}$/),
  });
  expect(push?.topic).toBe(push?.payload.tag.replaceAll('-', ''));
  expect(await statuses()).toEqual(['sent']);
  expect(await all('select kind, status, attempts, sent_at is not null as sent from pushes')).toEqual([
    { kind: 'match', status: 'sent', attempts: 1, sent: true },
  ]);
  expect(await all('select last_success_at is not null as ok, last_error from push_subscriptions')).toEqual([
    { ok: true, last_error: null },
  ]);
});

it('all that waits of an alert leaves as one message, to every device of its owner and to nobody else', async () => {
  const { alertId, browsers } = await pushed({ devices: 3 });
  await insertDuePush(db.pool, alertId, { title: '2016 Toyota Camry', price: 9_000 });
  const other = await pushed();
  await run();
  expect(here.service.accepted.map(({ path }) => path).sort()).toEqual(
    [...browsers, ...other.browsers].map(({ path }) => path).sort(),
  );
  const of = payloads().filter(({ url }) => url.endsWith(`/alert/${alertId}`));
  expect(of).toHaveLength(3);
  expect(new Set(of.map(({ tag }) => tag)).size).toBe(1);
  expect(of[0]).toMatchObject({ title: '2 cars: Toyota Camry near Los Angeles, CA' });
  expect(of[0].body.split('\n')).toEqual([
    '2016 Toyota Camry, $9,000, Pasadena, CA · 8.8 mi away',
    '2018 Toyota Camry SE, $15,400, Pasadena, CA · 8.8 mi away',
  ]);
});

it('no text of a seller makes a message too large', async () => {
  const { alertId } = await pushed();
  for (let n = 0; n < 4; n += 1)
    await insertDuePush(db.pool, alertId, { title: '\u{1F697}"\\'.repeat(3_000), city: 'ß'.repeat(9_000) });
  await run();
  expect(here.service.faults).toEqual([]);
  expect(here.service.accepted[0]?.bodyBytes).toBeLessThan(3_300);
  expect(payloads()[0].title).toMatch(/^5 cars/);
});

describe('what the push service answers', () => {
  it.each([404, 410])('%i removes the subscription', async (status) => {
    await pushed();
    here.service.answer = () => status;
    expect(await run()).toMatchObject({ failed: 1 });
    expect(await all('select from push_subscriptions')).toEqual([]);
    expect(await statuses()).toEqual(['failed']);
    await retry();
    await run();
    expect(here.service.requests).toHaveLength(1);
  });

  it('one device that is gone does not keep the message from the other', async () => {
    const { browsers, ids } = await pushed({ devices: 2 });
    here.service.answer = (path) => (path === browsers[0]?.path ? 410 : 201);
    expect(await run()).toMatchObject({ sent: 1 });
    expect(await all('select id from push_subscriptions')).toEqual([{ id: ids[1] }]);
    expect(await statuses()).toEqual(['sent']);
  });

  it.each([400, 401, 403, 413, 302])('%i is recorded, and the message is not sent again', async (status) => {
    await pushed();
    here.service.answer = () => ({ status, body: 'because' });
    expect(await run()).toMatchObject({ failed: 1, nextInMs: null });
    expect(await all('select status, error from pushes')).toEqual([
      { status: 'failed', error: `The push service answered ${status}: because` },
    ]);
    expect(await all('select last_error from push_subscriptions')).toEqual([
      { last_error: `The push service answered ${status}: because` },
    ]);
  });

  it('an answer that PostgreSQL cannot store as text is recorded without what it cannot store', async () => {
    await pushed();
    here.service.answer = () => ({ status: 400, body: 'be\0cause' });
    expect(await run()).toMatchObject({ failed: 1 });
    expect(await all('select status, error from pushes')).toEqual([
      { status: 'failed', error: expect.stringMatching(/^The push service answered 400: be.?cause$/) },
    ]);
  });

  it.each<[string, 'hang' | 'cut' | number]>([
    ['429', 429],
    ['503', 503],
    ['nothing', 'hang'],
    ['a cut connection', 'cut'],
  ])('after %s it is sent again, and the same message replaces the first', async (_name, answer) => {
    const { browsers } = await pushed();
    here.service.answer = () => answer;
    const { nextInMs } = await run();
    expect(nextInMs).toBeGreaterThan(3_000);
    expect(await statuses()).toEqual(['sending']);
    here.service.answer = () => 201;
    await retry();
    expect(await run()).toMatchObject({ sent: 1 });
    expect(await statuses()).toEqual(['sent']);
    expect(here.service.stored(browsers[0]?.path ?? '')).toHaveLength(1);
  });

  it('it waits for as long as Retry-After asks', async () => {
    await pushed();
    here.service.answer = () => ({ status: 429, headers: { 'retry-after': '120' } });
    expect((await run()).nextInMs).toBeGreaterThan(118_000);
  });

  it('only the device that failed gets the message again, and it counts as sent meanwhile', async () => {
    const { browsers } = await pushed({ devices: 2 });
    here.service.answer = (path) => (path === browsers[0]?.path ? 503 : 201);
    await run();
    expect(await all('select status, sent_at is not null as sent from pushes')).toEqual([
      { status: 'waiting', sent: true },
    ]);
    here.service.answer = () => 201;
    await retry();
    await run();
    expect(here.service.accepted.map(({ path }) => path)).toEqual([browsers[1]?.path, browsers[0]?.path]);
    expect(await statuses()).toEqual(['sent']);
  });

  it('a message that nobody accepts for a day is given up', async () => {
    await pushed();
    here.service.answer = () => 503;
    await run();
    await db.pool.query("update pushes set created_at = '2001-01-01', attempts = 12, next_try_at = now()");
    expect(await run()).toMatchObject({ failed: 1, nextInMs: null });
    expect(await statuses()).toEqual(['failed']);
  });

  it('a message that another process left behind is sent again', async () => {
    const { browsers } = await pushed();
    await run();
    await db.pool.query("update pushes set status = 'sending', sent_at = null, next_try_at = now()");
    await db.pool.query("update notifications set status = 'sending'");
    expect(await run()).toMatchObject({ sent: 1 });
    expect(here.service.accepted).toHaveLength(2);
    expect(here.service.stored(browsers[0]?.path ?? '')).toHaveLength(1);
  });
});

describe('what no longer holds is not sent', () => {
  const changes: [string, string][] = [
    ['the alert is switched off', 'update alerts set is_active = false'],
    ['the alert has expired', 'update alerts set expires_at = now()'],
    ['the alert no longer asks for it', 'update alerts set push_notifications = false'],
    ['the owner has no device any more', 'delete from push_subscriptions'],
    ['the car is sold', "update listings set status = 'sold'"],
    ['the car no longer fits', 'update alerts set price_max = 1000'],
  ];
  it.each(changes)('where %s', async (_name, change) => {
    await pushed();
    await db.pool.query(change);
    expect(await run()).toMatchObject({ sent: 0, nextInMs: null });
    expect([here.service.requests, await statuses()]).toEqual([[], ['dropped']]);
  });

  it.each(changes)('also before another attempt, where %s', async (_name, change) => {
    await pushed();
    here.service.answer = () => 503;
    await run();
    await db.pool.query(change);
    here.service.answer = () => 201;
    await retry();
    expect(await run()).toMatchObject({ dropped: 1 });
    expect([here.service.accepted, await statuses()]).toEqual([[], ['dropped']]);
    expect(await all('select status from pushes')).toEqual([{ status: 'dropped' }]);
  });
});

describe('the delivery rules', () => {
  it.each([
    ['a snooze', "snoozed_until = now() + interval '1 day'", 'snoozed'],
    [
      'a daily digest',
      "delivery = 'daily', digest_hour = extract(hour from (now() + interval '2 hours') at time zone 'America/Los_Angeles')",
      'digest',
    ],
    [
      'a quiet day',
      `quiet_hours = jsonb_build_object('from', '00:00', 'to', '00:00', 'days',
        jsonb_build_array(extract(dow from now() at time zone 'America/Los_Angeles')::int4))`,
      'quiet_hours',
    ],
  ])('%s holds a message, and it leaves afterwards', async (_name, change, rule) => {
    const { alertId } = await pushed();
    await db.pool.query(`update alerts set ${change}`);
    await run();
    expect(here.service.accepted).toEqual([]);
    expect(await all('select held_by, due_at > now() as later from notifications')).toEqual([
      { held_by: rule, later: true },
    ]);
    await db.pool.query("update alerts set snoozed_until = null, delivery = 'instant', quiet_hours = null");
    await db.pool.query('update notifications set due_at = now() where alert_id = $1', [alertId]);
    await run();
    expect(here.service.accepted).toHaveLength(1);
    expect(await all('select kind from pushes')).toEqual([{ kind: rule === 'digest' ? 'match' : 'summary' }]);
  });

  it('a pause of all messages holds it, also before another attempt', async () => {
    const { userId } = await pushed();
    here.service.answer = () => 503;
    await run();
    await db.pool.query('update users set messages_paused_at = now() where id = $1', [userId]);
    here.service.answer = () => 201;
    await retry();
    expect((await run()).nextInMs).toBeGreaterThan(3_600_000);
    expect(here.service.accepted).toEqual([]);
  });

  it('the next message of an alert waits for five minutes, whatever was mailed', async () => {
    const { alertId } = await pushed();
    await run();
    await insertDuePush(db.pool, alertId);
    expect((await run()).nextInMs).toBeGreaterThan(250_000);
    expect(here.service.accepted).toHaveLength(1);
  });

  it('more than 20 cars become one digest', async () => {
    const { alertId } = await pushed();
    for (let n = 0; n < 24; n += 1) await insertDuePush(db.pool, alertId);
    await run();
    expect(await all('select kind from pushes')).toEqual([{ kind: 'digest' }]);
    expect(payloads()[0]).toMatchObject({ title: '25 cars: Toyota Camry near Los Angeles, CA' });
    expect(payloads()[0].body).toMatch(/\nand 22 more$/);
    expect(here.service.accepted[0]?.urgency).toBe('normal');
  });

  it('a mail about the same car is another notification and stays', async () => {
    const { alertId, listingId } = await pushed();
    await insertMatch(db.pool, alertId, listingId);
    await run();
    expect((await statuses()).sort()).toEqual(['sent', 'waiting']);
  });
});

it('a push service that does not answer delays only the messages of its user', async () => {
  const slow = await pushed();
  for (let n = 0; n < 3; n += 1)
    await insertDuePush(db.pool, await insertAlert(db.pool, slow.userId, { push_notifications: true }));
  const others = await Promise.all(Array.from({ length: 5 }, () => pushed()));
  let open = 0;
  let most = 0;
  here.service.answer = async (path) => {
    if (path !== slow.browsers[0]?.path) return 201;
    open += 1;
    most = Math.max(most, open);
    await new Promise((resolve) => setTimeout(resolve, 300));
    open -= 1;
    return 201;
  };
  await run();
  expect(most).toBe(1);
  expect(here.service.accepted).toHaveLength(others.length + 4);
});

it('a message is sent by one of several engines', async () => {
  for (let n = 0; n < 20; n += 1) await pushed();
  await Promise.all(Array.from({ length: 4 }, () => run()));
  await expect
    .poll(async () => {
      await run();
      return (await statuses()).every((status: string) => status === 'sent');
    })
    .toBe(true);
  expect(here.service.accepted).toHaveLength(20);
});

it('the private key is encrypted in the database, and one pair serves all processes', async () => {
  const [first, second] = await Promise.all([
    readVapidKeys(db.pool, vapidEncryption),
    readVapidKeys(db.pool, vapidEncryption),
  ]);
  expect(first).toEqual(second);
  const rows = await all('select * from vapid_keys');
  expect(rows).toHaveLength(1);
  expect(JSON.stringify(rows)).not.toContain(first.privateKey);
  const other = makeEncryption('another secret that is long enough as well', 'vapid keys');
  await expect(readVapidKeys(db.pool, other)).rejects.toThrow('No known secret');
});
