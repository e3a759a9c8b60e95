import { afterAll, beforeEach, expect, it } from 'vitest';
import { setUpDatabase } from '../../test/database.ts';
import { onServerOf } from '../../test/everywhere.ts';
import { insertAlert, insertPlan, insertUser } from '../../test/mail/mail-fixtures.ts';
import { inTransaction, makePool, type Pool } from '../base/database.ts';
import { followChosenLayout } from '../placement/follow-layout.ts';
import { expireAlertsJob } from './expire-alerts-job.ts';

let other: Pool;
const db = setUpDatabase(async () => {
  other = makePool(db.url);
  followChosenLayout(other);
  await insertPlan(db.pool);
});
afterAll(async () => {
  await other.end();
});
beforeEach(() => db.pool.query('truncate users, alerts, mails restart identity cascade'));

const { signal } = new AbortController();
const run = (pool: Pool) => expireAlertsJob.run({ pool, confirmEmail: true, signal });
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);
const alertsIn = async (count: number, days: number, alert: Record<string, unknown> = {}) => {
  const userId = await insertUser(db.pool);
  for (let n = 0; n < count; n += 1) await insertAlert(db.pool, userId, { expires_at: inDays(days), ...alert });
  return userId;
};
const mails = () => db.rows('select alert_id as "alertId", kind from mails order by kind, alert_id');

it('queues one mail an alert and end date when two workers run it at once', async () => {
  for (let round = 0; round < 10; round += 1) {
    await db.pool.query('truncate users, alerts, mails restart identity cascade');
    await alertsIn(40, -0.01);
    await alertsIn(40, 2);
    await Promise.all([run(db.pool), run(other)]);
    const expected = (kind: string, from: number) =>
      Array.from({ length: 40 }, (_, n) => ({ alertId: from + n, kind }));
    expect(await mails()).toEqual([...expected('expired', 1), ...expected('reminder', 41)]);
  }
});

it('continues until no expired alert is left, and sends no mail about a paused one', async () => {
  await alertsIn(1_100, -0.01, { email_notifications: false });
  await alertsIn(3, -0.01);
  await alertsIn(1, -0.01, { is_active: false });
  await run(db.pool);
  expect((await db.pool.query('select from alerts where is_active')).rowCount).toBe(0);
  expect(await mails()).toHaveLength(3);
});

it('leaves an alert whose account is locked to the next run, without waiting for the lock', async () => {
  const held = await alertsIn(2, -0.01);
  await alertsIn(1, -0.01);
  await inTransaction(other, async (client) => {
    await onServerOf(client, held, 'select from users where id = $1 for update', [held]);
    await run(db.pool);
  });
  expect(await mails()).toHaveLength(1);
  await run(db.pool);
  expect(await mails()).toHaveLength(3);
});
