import { beforeEach, describe, expect, it } from 'vitest';
import { interceptPool } from '../../lab/intercept-statements.ts';
import { setUpDatabase } from '../../test/database.ts';
import { insertAlert, insertPlan, insertUser } from '../../test/mail/mail-fixtures.ts';
import { FIRST_BATCH } from '../base/batches.ts';
import { inTransaction, makePool } from '../base/database.ts';
import { recordSeen } from '../entities/user-activity.ts';
import { followChosenLayout } from '../placement/follow-layout.ts';
import { deleteIdleAccount, warnIdleAccounts } from './idle-accounts.ts';

const db = setUpDatabase(async () => {
  await insertPlan(db.pool);
  await db.pool.query(`insert into plans (id, name, description, price, alert_limit, is_popular, features)
    values (4, 'Elite', '', 0, 1, false, '{}') on conflict do nothing`);
});
beforeEach(async () => {
  await db.pool.query('truncate users, alerts, mails, deletion_requests, billing_customers restart identity cascade');
  await insertUser(db.pool, { username: 'admin', last_seen_at: monthsAgo(40) });
});

function monthsAgo(months: number): Date {
  const date = new Date();
  date.setUTCMonth(date.getUTCMonth() - months);
  return date;
}
const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
const warn = (confirmEmail = true, batch = FIRST_BATCH) =>
  inTransaction(db.pool, (client) => warnIdleAccounts(confirmEmail)(client, batch));
const remove = () => inTransaction(db.pool, (client) => deleteIdleAccount(client));
const mails = () => db.rows('select kind, user_id as "userId", to_address as "to" from mails');
const ids = async () => (await db.rows('select id from users order by id')).map(({ id }) => id);

describe('an account without use for 24 months', () => {
  it('is warned once', async () => {
    const id = await insertUser(db.pool, { last_seen_at: monthsAgo(25), email: 'idle@example.com' });
    expect(await warn()).toEqual({ after: null, removed: 1 });
    expect(await warn()).toEqual({ after: null, removed: 0 });
    expect(await mails()).toEqual([{ kind: 'idle_account', userId: id, to: 'idle@example.com' }]);
  });

  it('is not warned when it gets a plan while it is about to be', async () => {
    const id = await insertUser(db.pool, { last_seen_at: monthsAgo(25) });
    const own = makePool(db.url, 1);
    followChosenLayout(own);
    interceptPool(own, async (_client, statement, send) => {
      if (statement.name === 'idle-accounts-lock-to-warn')
        await db.pool.query('update users set plan_id = 4 where id = $1', [id]);
      return send(statement);
    });
    const { removed } = await inTransaction(own, (client) => warnIdleAccounts(true)(client, FIRST_BATCH));
    await own.end();
    expect([removed, await mails()]).toEqual([0, []]);
    expect(await db.rows('select idle_warned_at as at from users where id = $1', [id])).toEqual([{ at: null }]);
  });

  it('is deleted with all its rows 30 days after the warning, and not before', async () => {
    const requests = `insert into deletion_requests (request_id, user_id, username, reason, status)
      values ('DR-AAAAAA', $1, 'idle', 'no need', 'pending')`;
    const early = await insertUser(db.pool, { last_seen_at: monthsAgo(25), idle_warned_at: daysAgo(29) });
    const due = await insertUser(db.pool, { last_seen_at: monthsAgo(25), idle_warned_at: daysAgo(31) });
    await insertAlert(db.pool, due, { is_active: false });
    await db.pool.query(requests, [due]);
    await db.pool.query("insert into billing_customers (user_id, customer_id) values ($1, 'cus_idle')", [due]);
    expect((await remove()).removed).toBe(1);
    expect(await remove()).toEqual({ after: null, removed: 0 });
    expect(await ids()).toEqual([1, early]);
    expect((await db.pool.query('select from alerts')).rowCount).toBe(0);
    expect(await db.rows('select username, reason, status from deletion_requests')).toEqual([
      { username: null, reason: null, status: 'completed' },
    ]);
    expect(await db.rows('select customer_id from customer_deletions')).toEqual([{ customer_id: 'cus_idle' }]);
  });

  it('is marked as warned without a mail when it has no usable address', async () => {
    await insertUser(db.pool, { last_seen_at: monthsAgo(25), email: null });
    await insertUser(db.pool, { last_seen_at: monthsAgo(25), email_confirmed_at: null });
    expect((await warn()).removed).toBe(2);
    expect(await mails()).toEqual([]);
    await db.pool.query('update users set idle_warned_at = null');
    await warn(false);
    expect(await mails()).toHaveLength(1);
  });

  it('is neither warned nor deleted once its user was seen again', async () => {
    const one = await insertUser(db.pool, { last_seen_at: monthsAgo(25) });
    const other = await insertUser(db.pool, { last_seen_at: monthsAgo(25), idle_warned_at: daysAgo(31) });
    await recordSeen(db.pool, [one, other]);
    await db.pool.query('update users set last_seen_at = $1 where id = any($2::int8[])', [monthsAgo(25), [one, other]]);
    expect([await warn(), await remove()].map(({ removed }) => removed)).toEqual([0, 0]);
    expect(await ids()).toEqual([1, one, other]);
  });

  it('is kept when its user is seen while it is about to be deleted', async () => {
    const id = await insertUser(db.pool, { last_seen_at: monthsAgo(25), idle_warned_at: daysAgo(31) });
    const own = makePool(db.url, 1);
    followChosenLayout(own);
    interceptPool(own, async (_client, statement, send) => {
      const locked = await send(statement);
      // Whoever was seen after the accounts were read; without triggers, as the lock would be waited for.
      if (statement.name === 'idle-accounts-lock-to-delete')
        await db.pool.query(`set session_replication_role = replica;
          insert into user_activity (user_id, last_seen_at) values (${id}, now()); reset session_replication_role`);
      return locked;
    });
    expect((await inTransaction(own, (client) => deleteIdleAccount(client))).removed).toBe(0);
    await own.end();
    expect(await ids()).toEqual([1, id]);
    expect(await remove()).toEqual({ after: null, removed: 0 });
  });

  it('is kept when its user came back, and warned again the next time', async () => {
    const id = await insertUser(db.pool, { last_seen_at: daysAgo(10), idle_warned_at: daysAgo(31) });
    expect([await warn(), await remove()].map(({ removed }) => removed)).toEqual([0, 0]);
    const dates = [monthsAgo(25), monthsAgo(30), id];
    await db.pool.query('update users set last_seen_at = $1, idle_warned_at = $2 where id = $3', dates);
    expect((await remove()).removed).toBe(0);
    expect((await warn()).removed).toBe(1);
  });
});

it('is neither warned nor deleted with a paid plan, with an active alert, or as the admin', async () => {
  const idle = { last_seen_at: monthsAgo(25), idle_warned_at: null };
  await insertUser(db.pool, { ...idle, plan_id: 4 });
  await insertAlert(db.pool, await insertUser(db.pool, idle), { expires_at: daysAgo(-5) });
  expect((await warn()).removed).toBe(0);
  await db.pool.query('update users set idle_warned_at = $1', [daysAgo(31)]);
  expect((await remove()).removed).toBe(0);
});

it('is found in batches over all accounts', async () => {
  for (let n = 0; n < 7; n += 1) await insertUser(db.pool, { last_seen_at: monthsAgo(25) });
  let after: string | null = null;
  let warned = 0;
  let batches = 0;
  do {
    const done = await warn(true, { after, rows: 3 });
    after = done.after;
    warned += done.removed;
    batches += 1;
  } while (after !== null);
  expect([warned, batches]).toEqual([7, 3]);
});
