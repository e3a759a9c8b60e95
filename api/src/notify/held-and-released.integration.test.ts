import { Temporal } from 'temporal-polyfill';
import { afterEach, expect, it } from 'vitest';
import { interceptPool } from '../../lab/intercept-statements.ts';
import { alertsOf, emailParts, insertDueMatch, recordingMailer, sendDueMails } from '../../test/mail/mail-fixtures.ts';
import { insertDuePush, setUpPushes } from '../../test/push/push-fixtures.ts';
import { makePool, type Pool } from '../base/database.ts';
import { followChosenLayout } from '../placement/follow-layout.ts';
import { claimAlert } from './channels/push/claim-pushes.ts';
import { releaseAlerts, releaseUser } from './release-waiting.ts';

const { db, all, used, pushed, run } = setUpPushes();

const worker: { pool?: Pool } = {};
afterEach(async () => {
  await worker.pool?.end();
  delete worker.pool;
});

/** A worker's connections; `then` runs once another process's connection sees what the next transaction has committed. */
function afterNextCommit(then: () => Promise<void>): Pool {
  const pool = makePool(db.url, 3);
  followChosenLayout(pool);
  worker.pool = pool;
  let isOver = false;
  interceptPool(pool, async (_client, statement, send) => {
    const result = await send(statement);
    if (statement.text === 'commit' && !isOver) {
      isOver = true;
      await then();
    }
    return result;
  });
  return pool;
}

type Ids = { alertId: number; userId: number };
interface Rule {
  begin(ids: Ids): Promise<unknown>;
  end(ids: Ids): Promise<unknown>;
}

const snooze: Rule = {
  async begin({ alertId }) {
    await db.pool.query("update alerts set snoozed_until = now() + interval '42 days' where id = $1", [alertId]);
    await releaseAlerts(db.pool, await alertsOf(db.pool, alertId));
  },
  async end({ alertId }) {
    await db.pool.query('update alerts set snoozed_until = null where id = $1', [alertId]);
    await releaseAlerts(db.pool, await alertsOf(db.pool, alertId));
  },
};
const pause: Rule = {
  async begin({ userId }) {
    await db.pool.query('update users set messages_paused_at = now() where id = $1', [userId]);
    await releaseUser(db.pool, userId);
  },
  async end({ userId }) {
    await db.pool.query('update users set messages_paused_at = null where id = $1', [userId]);
    await releaseUser(db.pool, userId);
  },
};
const suppression: Rule = {
  async begin({ userId }) {
    await db.pool.query(
      `insert into suppressed_addresses (address, reason, since) select lower(email), 'bounced', now() from users where id = $1`,
      [userId],
    );
    await releaseUser(db.pool, userId);
  },
  async end({ userId }) {
    await db.pool.query('delete from suppressed_addresses');
    await releaseUser(db.pool, userId);
  },
};

const confirmation: Rule = {
  async begin({ userId }) {
    await db.pool.query('update users set email_confirmed_at = null where id = $1', [userId]);
    await releaseUser(db.pool, userId);
  },
  async end({ userId }) {
    await db.pool.query('update users set email_confirmed_at = now() where id = $1', [userId]);
    await releaseUser(db.pool, userId);
  },
};

const daily: Rule = {
  async begin({ alertId }) {
    const at = Temporal.Now.zonedDateTimeISO('America/Los_Angeles').add({ hours: 4 });
    await db.pool.query(`update alerts set delivery = 'daily', digest_hour = $2 where id = $1`, [alertId, at.hour]);
    await releaseAlerts(db.pool, await alertsOf(db.pool, alertId));
  },
  async end({ alertId }) {
    await db.pool.query(`update alerts set delivery = 'instant' where id = $1`, [alertId]);
    await releaseAlerts(db.pool, await alertsOf(db.pool, alertId));
  },
};

const rules = { snooze, pause, suppression, confirmation, daily };

it.each(['snooze', 'pause', 'suppression', 'confirmation', 'daily'] as const)(
  'a mail that was validated under a %s leaves at once when that ends before the result is recorded',
  async (name) => {
    const ids = await insertDueMatch(db.pool);
    await sendDueMails(
      emailParts(
        db,
        recordingMailer(() => Promise.reject(new Error('busy'))),
      ),
    );
    await rules[name].begin(ids);
    const mailer = recordingMailer();
    const pool = afterNextCommit(async () => void (await rules[name].end(ids)));
    await sendDueMails(emailParts(db, mailer, { pool }));
    await sendDueMails(emailParts(db, mailer));
    expect(await all('select status from mails')).toEqual([{ status: 'sent' }]);
    expect(mailer.mails).toHaveLength(1);
  },
);

it.each(['snooze', 'pause', 'daily'] as const)(
  'a push message that was validated under a %s leaves at once when that ends before the result is recorded',
  async (name) => {
    const ids = await pushed();
    used.service.answer = () => 503;
    await run();
    used.service.answer = () => 201;
    await db.pool.query('update push_subscriptions set failures = 0, retry_at = null');
    await rules[name].begin(ids);
    await run({ pool: afterNextCommit(async () => void (await rules[name].end(ids))) });
    await run();
    expect(await all('select status from pushes')).toEqual([{ status: 'sent' }]);
    expect(used.service.accepted).toHaveLength(1);
  },
);

it.each([
  ['a snooze', snooze, 'summary', '41 days'],
  ['the hour of a digest', daily, 'digest', '2 hours'],
])(
  'a push message that was tried waits for the end of %s, and its claim does not count as an attempt',
  async (_what, rule, kind, least) => {
    const ids = await pushed();
    used.service.answer = () => 503;
    await run();
    used.service.answer = () => 201;
    await rule.begin(ids);
    expect(await run()).toMatchObject({ deferred: 1, sent: 0 });
    expect(
      await all(
        `select status, kind, attempts - attempts_before as tries, next_try_at > now() + interval '${least}' as waits from pushes`,
      ),
    ).toEqual([{ status: 'waiting', kind, tries: 0, waits: true }]);
    expect(await all('select held_by from notifications')).toEqual([
      { held_by: kind === 'summary' ? 'snoozed' : 'digest' },
    ]);
    expect(used.service.accepted).toEqual([]);
    await db.pool.query('update push_subscriptions set failures = 0, retry_at = null');
    await rule.end(ids);
    await run();
    expect(used.service.accepted).toHaveLength(1);
  },
);

it('the matches of a push message that was not tried yet wait again, and leave in one with what else waits', async () => {
  const ids = await pushed();
  await claimAlert(db.pool, ids, false);
  await db.pool.query(`update pushes set status = 'waiting', attempts = 0, next_try_at = now()`);
  await snooze.begin(ids);
  await run();
  expect(await all('select id from pushes')).toEqual([]);
  expect(await all('select status, held_by from notifications')).toEqual([{ status: 'waiting', held_by: 'snoozed' }]);
  expect(await all('select last_pushed_at from alerts')).toEqual([{ last_pushed_at: null }]);
  await insertDuePush(db.pool, ids.alertId);
  await snooze.end(ids);
  await run();
  expect(await all('select kind, status from pushes')).toEqual([{ kind: 'summary', status: 'sent' }]);
  expect(used.service.accepted).toHaveLength(1);
});

it('a push message that no rule has held is given up after a day, also if the rules of its alert change', async () => {
  const { alertId } = await pushed();
  used.service.answer = () => 503;
  await run();
  await db.pool.query("update pushes set created_at = '2001-01-01', attempts = 12");
  await releaseAlerts(db.pool, await alertsOf(db.pool, alertId));
  expect(await run()).toMatchObject({ failed: 1, nextInMs: null });
});
