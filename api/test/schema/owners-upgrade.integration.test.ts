import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NOBODY } from '../../src/domain/mail-kinds.ts';
import { deliveryChannels } from '../../src/entities/delivery-channels.ts';
import {
  lastSeenAt,
  notificationsReadAt,
  recordNotificationsRead,
  recordSeen,
} from '../../src/entities/user-activity.ts';
import { migrateDatabase } from '../../src/launcher/postgres/migrate.ts';
import { renderMails } from '../../src/notify/channels/email/render-mails.ts';
import { copyToThrottles } from '../../src/notify/copy-to-throttles.ts';
import { makeOldDatabase, type TestDatabase } from '../database.ts';
import { emailParts, insertAlert, insertPlan, insertUser, recordingMailer } from '../mail/mail-fixtures.ts';

const OLD_MAILS = 6_000;
/** As the version before writes a mail. */
const insertMail = 'insert into mails (kind, user_id, to_address, data) values ($1, $2, $3, $4)';

let db: TestDatabase;
let owner = 0;
let mailed: number[] = [];
beforeAll(async () => {
  db = await makeOldDatabase('095-deletes-by-place');
  await insertPlan(db.pool);
  owner = await insertUser(db.pool, { username: 'Ana', email: 'ana@example.com' });
  // Each has a tenth of a page, so that they fill several steps of the migration.
  await db.pool.query(
    `insert into mails (kind, user_id, to_address, data)
     select case n % 2 when 0 then 'contact' else 'confirm' end, case n % 2 when 1 then $1::int8 end, 'old@example.com',
            jsonb_build_object('message', repeat(md5(n::text), 20))
       from generate_series(1, $2::int4) n`,
    [owner, OLD_MAILS],
  );
  mailed = [await insertAlert(db.pool, owner), await insertAlert(db.pool, owner)];
  await db.pool.query('update alerts set last_mailed_at = now()');
  await db.pool.query('insert into alert_throttles values (987654, now())');
  await db.orm.migrator.up();
});
afterAll(() => db.close());

describe('the times at which alerts were mailed', () => {
  const times = () => db.rows('select t.alert_id as id, t.user_id as owner from alert_throttles t order by 1');

  it('get the users of their alerts; those of alerts that are gone leave', async () => {
    expect(await times()).toEqual(mailed.map((id) => ({ id, owner })));
  });

  it('are written with the user, once an alert, and deleted with it', async () => {
    const [first, second] = mailed;
    const time = new Date(Date.now() + 60_000);
    await db.pool.query('update alerts set last_mailed_at = $1 where id = $2', [time, first]);
    await db.pool.query('update alerts set last_mailed_at = null where id = $1', [second]);
    const third = await insertAlert(db.pool, owner);
    await db.pool.query('update alerts set last_mailed_at = now() where id = $1', [third]);
    expect(await times()).toEqual([first, third].map((id) => ({ id, owner })));
    const lastSentAt = deliveryChannels.email.matches.lastSentAt('$1', '$2');
    expect(await db.rows(lastSentAt, [first, owner])).toEqual([{ last_mailed_at: time }]);
    expect(await db.rows(lastSentAt, [first, owner + 1])).toEqual([]);
    // As the version before asks.
    expect(await db.rows('select last_mailed_at as at from alert_throttles where alert_id = $1', [first])).toEqual([
      { at: time },
    ]);
    await db.pool.query('delete from alerts');
    expect(await times()).toEqual([]);
  });

  it('are written by who began before the migration, which waits for them', async () => {
    const old = await makeOldDatabase('101-user-activity');
    try {
      await insertPlan(old.pool);
      const id = await insertAlert(old.pool, await insertUser(old.pool));
      const { body } = await old.row("select pg_get_functiondef('sync_alert_throttles'::regproc) as body");
      await old.pool.query(body.replace(/\bbegin\b/, 'begin perform pg_sleep(1.5);'));
      const writing = old.pool.query('update alerts set last_mailed_at = now()');
      const asleep = "select 1 from pg_stat_activity where wait_event = 'PgSleep' and datname = current_database()";
      await expect.poll(() => old.rows(asleep)).toHaveLength(1);
      await Promise.all([writing, migrateDatabase(old.url)]);
      expect(await old.rows('select alert_id as id from alert_throttles where user_id is not null')).toEqual([{ id }]);
    } finally {
      await old.close();
    }
  });

  it('are not written a second time by the trigger where a statement has written them', async () => {
    await insertAlert(db.pool, owner);
    await db.pool.query(
      `with mailed as (update alerts set last_mailed_at = now() returning *) ${copyToThrottles('mailed')}`,
    );
    expect(await db.rows('select cmin::text as command from alert_throttles')).toEqual([{ command: '0' }]);
    await db.pool.query('delete from alerts');
  });
});

describe('mails', () => {
  it('that belonged to nobody get the user 0 in several transactions, and the others keep theirs', async () => {
    const count = 'select user_id as owner, kind, count(*)::int4 as mails from mails group by 1, 2 order by 1';
    expect(await db.rows(count)).toEqual([
      { owner: NOBODY, kind: 'contact', mails: OLD_MAILS / 2 },
      { owner, kind: 'confirm', mails: OLD_MAILS / 2 },
    ]);
    const steps = await db.row(`select count(distinct xmin::text)::int4 as count from mails where user_id = 0`);
    expect(steps.count).toBeGreaterThan(1);
    await db.pool.query('truncate mails cascade');
  });

  it('that the version before writes without a user get 0; a user that is not there still gets none', async () => {
    await db.pool.query(insertMail, ['contact', null, 'help@example.com', {}]);
    await db.pool.query(insertMail, ['confirm', 987_654, 'gone@example.com', {}]);
    expect(await db.rows('select user_id as owner, kind from mails')).toEqual([{ owner: NOBODY, kind: 'contact' }]);
    await db.pool.query('truncate mails cascade');
  });

  it('about the day’s texts wait for a new worker where one of the version before drops them', async () => {
    const data = { texts: 'match', segments: 5, resetsAt: '2026-01-01T00:00:00Z' };
    await db.pool.query(insertMail, ['text_limit', null, 'help@example.com', data]);
    await db.pool.query("update mails set status = 'dropped', error = null");
    expect(await db.rows('select status, next_try_at > now() as later from mails')).toEqual([
      { status: 'waiting', later: true },
    ]);
    const claim = await db.row(
      `select id, kind, user_id as "userId", alert_id as "alertId", to_address as "to", data from mails`,
    );
    const [mail] = await renderMails(db.pool, emailParts(db, recordingMailer()), [claim]);
    expect(mail).toMatchObject({ kind: 'text_limit', to: 'help@example.com' });
    await db.pool.query('truncate mails cascade');
  });

  it('of a visitor go with the account whose names they have, which the version before erases', async () => {
    const other = await insertUser(db.pool, { username: 'Bo', email: 'shared@example.com', email_confirmed_at: null });
    await insertUser(db.pool, { email: 'shared@example.com', email_confirmed_at: null });
    const said = (email: string, name = 'x') => ['contact', null, 'help@example.com', { email, name }];
    for (const values of [
      said('Ana@example.com'),
      said('else@example.com', ' ANA '),
      said('else@example.com', 'Eve'),
      said('shared@example.com'),
      ['confirm', null, 'ana@example.com', {}],
    ])
      await db.pool.query(insertMail, values);
    await db.pool.query('delete from users where id = any($1::int8[])', [[owner, other]]);
    expect(await db.rows("select data ->> 'email' as email, data ->> 'name' as name from mails order by 1")).toEqual([
      { email: 'else@example.com', name: 'Eve' },
      { email: 'shared@example.com', name: 'x' },
    ]);
  });
});

describe('the times of users', () => {
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
  const times = async (user: number) => {
    const seen = `select ${lastSeenAt('u')} as seen, ${notificationsReadAt('u')} as read from users u where id = $1`;
    return db.row(seen, [user]);
  };
  const oldTimes = (user: number) =>
    db.row('select last_seen_at as seen, notifications_read_at as read from users where id = $1', [user]);
  const user = (days: number) =>
    insertUser(db.pool, { last_seen_at: daysAgo(days), notifications_read_at: daysAgo(days) });

  it('are those that the version before writes, until newer ones are known', async () => {
    const id = await user(3);
    await recordSeen(db.pool, [id]);
    await recordNotificationsRead(db.pool, id, daysAgo(2));
    const before = await times(id);
    expect(before.seen.getTime()).toBeGreaterThan(daysAgo(0.1).getTime());
    const later = new Date(Date.now() + 60_000);
    await db.pool.query('update users set last_seen_at = $2, notifications_read_at = $2 where id = $1', [id, later]);
    expect(await times(id)).toEqual({ seen: later, read: later });
    await recordNotificationsRead(db.pool, id, daysAgo(1));
    expect((await times(id)).read).toEqual(later);
  });

  it('reach the version before where it shows what was read, and where it would delete an idle account', async () => {
    const [active, idle] = [await user(3), await user(760)];
    await recordSeen(db.pool, [active, idle]);
    expect((await oldTimes(active)).seen.getTime()).toBeLessThan(daysAgo(2.9).getTime());
    expect((await oldTimes(idle)).seen.getTime()).toBeGreaterThan(daysAgo(0.1).getTime());
    const read = daysAgo(1);
    await recordNotificationsRead(db.pool, active, read);
    expect((await oldTimes(active)).read).toEqual(read);
  });

  it('are written once an hour, and go with their user', async () => {
    const id = await user(3);
    await recordSeen(db.pool, [id]);
    const row = 'select xmin::text, xmax::text, ctid::text from user_activity where user_id = $1';
    const written = await db.row(row, [id]);
    await recordSeen(db.pool, [id]);
    expect(await db.row(row, [id])).toEqual(written);
    await db.pool.query('delete from users where id = $1', [id]);
    await recordSeen(db.pool, [id]);
    expect(await db.rows(row, [id])).toEqual([]);
  });
});
