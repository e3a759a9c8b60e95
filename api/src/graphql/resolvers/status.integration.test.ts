import { beforeEach, describe, expect, it } from 'vitest';
import { makeBrowser } from '../../../test/browser.ts';
import { storeCars } from '../../../test/factories.ts';
import { setUpApi } from '../../../test/make-app.ts';
import { countLags, lagPercentileMs } from '../../domain/source-health.ts';
import { countDelays } from '../../notify/count-delays.ts';
import { readSourceFreshness } from '../../sources/read-source-status.ts';
import { makeStatusReader } from '../status-reader.ts';

let userId: number;
let alertId: number;
/** Users with devices. */
let pushedIds: number[];
const api = setUpApi({}, async () => {
  const { browser, id } = await api.user('ana');
  userId = id;
  alertId = await browser.createAlert();
  const { rows } = await api.db.pool.query(
    "insert into users (username, password_hash) select 'pushed-' || n, 'x' from generate_series(1, 4) n returning id",
  );
  pushedIds = rows.map((row) => row.id);
});
beforeEach(async () => {
  await api.db.pool.query('update alerts set texts_failing_since = null');
  await api.db.pool.query(
    'truncate listings, listings_to_match, notifications, mails, texts, pushes, push_subscriptions, delivery_delays, sources, source_hours, source_lags restart identity cascade',
  );
});

const status = () => makeStatusReader(api.db.pool)();

interface Sent {
  channel?: 'email' | 'sms' | 'push';
  /** Milliseconds from seen to sent. */
  ms: number;
  daysAgo?: number;
  heldBy?: string;
  kind?: string;
}

/** SQL: inserts a message of each channel that left then, and the column that names it. */
const messages: Record<NonNullable<Sent['channel']>, (sentAt: string) => [insert: string, column: string]> = {
  email: (sentAt) => [
    `insert into mails (kind, user_id, alert_id, to_address, status, sent_at)
     values ('match', $2, $1, 'ana@example.test', 'sent', ${sentAt}) returning id`,
    'mail_id',
  ],
  sms: (sentAt) => [
    `insert into texts (id, kind, user_id, alert_id, to_phone, status, sent_at)
     values (gen_random_uuid(), 'match', $2, $1, '+15125550100', 'sent', ${sentAt}) returning id`,
    'text_id',
  ],
  push: (sentAt) => [
    `insert into pushes (id, kind, user_id, alert_id, devices, status, next_try_at, sent_at)
     values (gen_random_uuid(), 'match', $2, $1, '{}', 'sent', now(), ${sentAt}) returning id`,
    'push_id',
  ],
};

/** Inserts matches that were announced, each in a message of its own, which were counted as they left. */
async function insertSent(sent: readonly Sent[]): Promise<void> {
  const listings = await storeCars(
    api.db.pool,
    sent.map(() => ({})),
  );
  for (const [at, { channel = 'email', ms, daysAgo = 0, heldBy = null, kind = 'match' }] of sent.entries()) {
    const values = [alertId, userId, listings[at], ms, daysAgo, heldBy, kind];
    const seenAt = "now() - $5 * interval '1 day' - interval '1 hour'";
    const sentAt = `${seenAt} + $4 * interval '1 ms'`;
    const [message, column] = messages[channel](sentAt);
    const { rows } = await api.db.pool.query(
      `with seen as (update listings set seen_at = ${seenAt} where id = $3), message as (${message})
       insert into notifications (user_id, alert_id, listing_id, channel, kind, status, held_by, due_at,
                                  ${column})
       select $2, $1, $3, '${channel}', $7, 'sent', $6, now(), id from message returning ${column} as id`,
      values,
    );
    await countDelays(api.db.pool, channel, [{ id: rows[0].id, userId }]);
  }
}

const times = (count: number, sent: (index: number) => Sent) => Array.from({ length: count }, (_, at) => sent(at));
/** A time as the status shows it, which counts times in buckets. */
const shown = (ms: number) => lagPercentileMs(countLags([ms]), 1);
const nothing = { matches: 0, p50Ms: null, p95Ms: null };

describe('the figures of a channel', () => {
  it('are percentiles of the time from seen to sent, by channel, of a day and of 30 days', async () => {
    await insertSent([
      ...times(20, (at) => ({ ms: (at + 1) * 100 })),
      ...times(20, () => ({ ms: 9_000, daysAgo: 3 })),
      ...times(20, () => ({ ms: 60_000, daysAgo: 31 })),
      ...times(21, () => ({ channel: 'sms', ms: 700 })),
      ...times(22, () => ({ channel: 'push', ms: 300 })),
    ]);
    const { channels, isWorking } = await status();
    expect(channels).toEqual([
      {
        channel: 'email',
        lastDay: { matches: 20, p50Ms: shown(1_000), p95Ms: shown(1_900) },
        last30Days: { matches: 40, p50Ms: shown(2_000), p95Ms: shown(9_000) },
        delayedSince: null,
      },
      {
        channel: 'sms',
        lastDay: { matches: 21, p50Ms: shown(700), p95Ms: shown(700) },
        last30Days: { matches: 21, p50Ms: shown(700), p95Ms: shown(700) },
        delayedSince: null,
      },
      {
        channel: 'push',
        lastDay: { matches: 22, p50Ms: shown(300), p95Ms: shown(300) },
        last30Days: { matches: 22, p50Ms: shown(300), p95Ms: shown(300) },
        delayedSince: null,
      },
    ]);
    expect(isWorking).toBe(true);
  });

  it('have no percentiles with fewer than 20 matches, and leave out what a rule held and price drops', async () => {
    await insertSent([
      ...times(19, () => ({ ms: 100 })),
      ...times(5, () => ({ ms: 5_000_000, heldBy: 'quiet_hours' })),
      ...times(5, () => ({ ms: 5_000_000, kind: 'price_drop' })),
    ]);
    const { channels } = await status();
    expect(channels[0]).toMatchObject({ lastDay: { matches: 19, p50Ms: null, p95Ms: null } });
    expect(channels[1]).toMatchObject({ lastDay: nothing, last30Days: nothing });
  });
});

const insertMails = (count: number, error: string | null, retrySince = 'null') =>
  api.db.pool.query(
    `insert into mails (kind, user_id, to_address, next_try_at, error, created_at, retry_since)
     select 'welcome', $1, 'ana@example.test', now() + interval '1 minute', $2, now() - n * interval '1 minute', ${retrySince}
       from generate_series(1, $3::int) n`,
    [userId, error, count],
  );

interface Push {
  users?: number;
  /** Of each user's device. */
  service?: string;
  /** How often in a row it has not answered for the device. */
  failures?: number;
  error?: string | null;
  /** SQL */
  nextTryAt?: string;
  sentAt?: string;
  retrySince?: string;
}

/** Four push messages that are claimed or wait, with their notifications. They are of different users, unless it is said. */
async function insertPushes(push: Push): Promise<void> {
  const { users = 4, error = 'The push service answered 503', nextTryAt = "now() + interval '1 minute'" } = push;
  const { sentAt = 'null', retrySince = 'null', service = 'https://fcm.googleapis.com', failures = 1 } = push;
  await api.db.pool.query(
    `with device as (
       insert into push_subscriptions (user_id, endpoint, p256dh, auth, failures)
       select id, $4 || '/' || id, '', '', $5 from unnest($1::int8[]) id returning *
     ), pushed as (
       insert into pushes (id, kind, user_id, alert_id, devices, status, error, created_at, next_try_at, sent_at, retry_since)
       select gen_random_uuid(), 'match', device.user_id, $2, array[device.id], 'waiting', $3, now() - n * interval '1 minute',
              ${nextTryAt}, ${sentAt}, ${retrySince}
         from generate_series(1, 4) n join device on device.user_id = ($1::int8[])[1 + n % cardinality($1::int8[])]
       returning *
     )
     insert into notifications (user_id, alert_id, listing_id, channel, status, due_at, push_id)
     select user_id, alert_id, 1, 'push', 'sending', now() - interval '1 hour', id from pushed`,
    [pushedIds.slice(0, users), alertId, error, service, failures],
  );
}

/** A text that waits for another attempt, which all have failed for so many minutes. */
async function insertFailingText(minutes: number, status: 'waiting' | 'sending' | 'failed' = 'waiting'): Promise<void> {
  await api.db.pool.query("update alerts set texts_failing_since = now() - $2 * interval '1 minute' where id = $1", [
    alertId,
    minutes,
  ]);
  await api.db.pool.query(
    `with text as (
       insert into texts (id, kind, user_id, alert_id, to_phone, status)
       select gen_random_uuid(), 'match', $1, $2, '+15125550100', 'sending' where $3 = 'sending' returning id
     )
     insert into notifications (user_id, alert_id, listing_id, channel, status, due_at, text_id)
     select $1, $2, 1, 'sms', $3, now() + interval '30 seconds', (select id from text)`,
    [userId, alertId, status],
  );
}

/** One source that has ended, one whose last read failed, one that cannot be read, and one to which cars are pushed. */
const insertSources = () =>
  api.db.pool.query(
    `insert into sources (name, kind, settings, last_polled_at, last_success_at, last_error, ended_by, next_poll_at) values
       ('gone', 'marketplace-items', '{}', now(), now(), 'x', 'settings', 'infinity'),
       ('late', 'marketplace-items', '{"everySeconds": 30}', now(), now() - interval '1 minute', 'x', null, now()),
       ('lost', 'marketplace-items', '{"everySeconds": 30}', now(), now() - interval '1 hour', 'x', null, now()),
       ('lot', 'push', '{}', null, now() - interval '1 day', null, null, 'infinity')`,
  );

it('the site says when a source was last read without an error, and how many are late', async () => {
  expect(await readSourceFreshness(api.db.pool)).toEqual({ lastCheckedAt: null, lateSources: 0 });
  await insertSources();
  const { rows } = await api.db.pool.query(`select last_success_at as "at" from sources where name = 'late'`);
  expect(await readSourceFreshness(api.db.pool)).toEqual({ lastCheckedAt: rows[0].at, lateSources: 2 });
});

describe('an incident is open', () => {
  it('while a source cannot be read, since it was last read, and not after one failed read', async () => {
    await insertSources();
    await api.db.pool.query(
      `insert into source_lags (source, hour, bucket, listings) values
         ('lot', date_trunc('hour', now()), 80, 19), ('lost', date_trunc('hour', now()), 80, 20)`,
    );
    const { isWorking, sources, incidents } = await status();
    expect(sources.map(({ name, state, lagListings }) => [name, state, lagListings])).toEqual([
      ['late', 'degraded', 0],
      ['lost', 'failing', 20],
      ['lot', 'healthy', 19],
    ]);
    expect(sources.map(({ lagP50Ms }) => lagP50Ms)).toEqual([null, expect.any(Number), null]);
    expect(isWorking).toBe(false);
    expect(incidents).toEqual([
      { subject: 'lost', message: 'This source cannot be read.', since: sources[1]?.lastSuccessAt },
    ]);
  });

  it.each<[what: string, prepare: () => Promise<unknown>, subjects: string[]]>([
    ['not for three mails after failed attempts', () => insertMails(3, 'refused'), []],
    ['for four', () => insertMails(4, 'refused'), ['email']],
    ['not for mails that are not due yet', () => insertMails(9, null), []],
    ['not for mails that a rule holds', () => insertMails(4, 'refused', "now() + interval '1 hour'"), []],
    ['for push messages of four users after failed attempts', () => insertPushes({}), ['push']],
    ['not for those of three users', () => insertPushes({ users: 3 }), []],
    ['not for those at an address of their own', () => insertPushes({ service: 'https://push.example.net' }), []],
    ['not where the push service of the browsers has answered since', () => insertPushes({ failures: 0 }), []],
    ['not for push messages that were not tried yet', () => insertPushes({ error: null }), []],
    ['not for push messages that one device has got', () => insertPushes({ sentAt: 'now()' }), []],
    ['not for push messages that a rule holds', () => insertPushes({ retrySince: "now() + interval '1 hour'" }), []],
    [
      'for a claimed push message that has been due for long',
      () => insertPushes({ users: 1, error: null, nextTryAt: "now() - interval '11 minutes'" }),
      ['push'],
    ],
    ['for a text that has failed for eleven minutes and waits', () => insertFailingText(11), ['sms']],
    ['and also while it is tried', () => insertFailingText(11, 'sending'), ['sms']],
    ['not for a text that has failed for nine minutes', () => insertFailingText(9), []],
    ['not for one that was given up', () => insertFailingText(400, 'failed'), []],
    [
      'for a text that has been due for long',
      () =>
        api.db.pool.query(
          `insert into notifications (user_id, alert_id, listing_id, channel, due_at)
           values ($1, $2, 1, 'sms', now() - interval '11 minutes')`,
          [userId, alertId],
        ),
      ['sms'],
    ],
    [
      'for a push message that has been due for long',
      () =>
        api.db.pool.query(
          `insert into notifications (user_id, alert_id, listing_id, channel, due_at)
           values ($1, $2, 1, 'push', now() - interval '11 minutes')`,
          [userId, alertId],
        ),
      ['push'],
    ],
  ])('%s', async (_what, prepare, subjects) => {
    await prepare();
    expect((await status()).incidents.map(({ subject }) => subject)).toEqual(subjects);
  });
});

it('everybody sees it, and it says nothing of a user, an address or an error', async () => {
  await insertSent(times(20, () => ({ ms: 1_234 })));
  await insertMails(4, 'refused for ana');
  await api.db.pool.query(
    `insert into sources (name, kind, settings, last_error)
     values ('lot', 'marketplace-items', '{"url": "https://lot.example/feed"}', 'the token was refused')`,
  );
  const response = await makeBrowser(api.url).fetch('/api/status');
  expect(response.status).toBe(200);
  const text = await response.text();
  expect(JSON.parse(text)).toMatchObject({
    isWorking: false,
    sources: [{ name: 'lot', state: 'degraded', lastSuccessAt: null, lagP50Ms: null, lagListings: 0 }],
    channels: [
      { channel: 'email', lastDay: { matches: 20, p50Ms: shown(1_234) } },
      { channel: 'sms' },
      { channel: 'push' },
    ],
    incidents: [{ subject: 'email', message: 'Mails are delayed.' }],
  });
  expect(text).not.toMatch(/ana|example|refused|\+1512/);
  await api.db.pool.query('delete from sources');
  const again = await makeBrowser(api.url).fetch('/api/status');
  expect(await again.text()).toBe(text);
});
