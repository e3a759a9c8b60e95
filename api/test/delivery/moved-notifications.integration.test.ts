/** @module-tag plain */
// On a cluster no notification moves to another partition, as there are none.
import { beforeEach, expect, it } from 'vitest';
import type { Client } from '../../src/base/database.ts';
import { databaseFault } from '../../src/base/database-fault.ts';
import { inRetriedTransaction } from '../../src/base/retried-transaction.ts';
import { dropTexts } from '../../src/notify/channels/sms/stop-texts.ts';
import { discardWaiting } from '../../src/notify/restored/restored-messages.ts';
import { executeDeletion } from '../../src/rights/erase-person.ts';
import { setUpDatabase } from '../database.ts';
import { emptyMailTables, insertDueMatch, insertPlan, insertUser } from '../mail/mail-fixtures.ts';
import { splitPartitions } from '../split-partitions.ts';

/** The first listing of the second partition. */
const SECOND = 1_000;

const db = setUpDatabase(async () => {
  await insertPlan(db.pool);
  await splitPartitions(db.pool, SECOND);
});
beforeEach(() => emptyMailTables(db.pool));

/** Runs something that waits for a notification, which is moved to the other partition meanwhile, as when it is reassigned. */
async function whileMoving<T>(notificationId: number, act: () => Promise<T>): Promise<T> {
  const client = await db.pool.connect();
  try {
    await client.query('begin');
    await client.query('update notifications set listing_id = $2 where id = $1', [notificationId, SECOND]);
    const acting = act();
    acting.catch(() => {});
    await expect.poll(() => db.lockWaits()).toBeGreaterThan(0);
    await client.query('commit');
    return await acting;
  } finally {
    client.release();
  }
}

const stateOf = (id: number) =>
  db.row('select listing_id as "listingId", status from notifications where id = $1', [id]);

it('are erased with their owner', async () => {
  await insertUser(db.pool);
  const { userId, notificationId } = await insertDueMatch(db.pool);
  await db.pool.query(
    "insert into deletion_requests (request_id, user_id, username, status) values ('x', $1, 'x', 'approved')",
    [userId],
  );
  const erase = () => executeDeletion({ pool: db.pool, limits: { keysOf: () => [] } }, { id: 1 }, userId);
  expect(await whileMoving(notificationId, erase)).toContain(`deleted user ${userId}`);
  expect(await stateOf(notificationId)).toBeUndefined();
});

it.each([
  [
    'are dropped with the texts of a number that replied STOP',
    'dropped',
    (client, userId) => dropTexts(client, [userId]),
  ],
  ['are marked as sent after a restore', 'sent', (client) => discardWaiting(client, {})],
] satisfies [string, string, (client: Client, userId: number) => Promise<void>][])(
  '%s',
  async (_name, status, change) => {
    const { userId, notificationId } = await insertDueMatch(db.pool);
    await db.pool.query("update notifications set channel = 'sms'");
    await whileMoving(notificationId, () => inRetriedTransaction(db.pool, (client) => change(client, userId)));
    expect(await stateOf(notificationId)).toEqual({ listingId: SECOND, status });
  },
);

it('make a request that met them answer UNAVAILABLE, which may be repeated', async () => {
  const { notificationId } = await insertDueMatch(db.pool);
  const write = () => db.pool.query("update notifications set due_at = now() where status = 'waiting'");
  const fault = await whileMoving(notificationId, write).catch(databaseFault);
  expect(fault).toMatchObject({ code: 'UNAVAILABLE', retryAfterSeconds: 2, cause: { code: '40001' } });
});
