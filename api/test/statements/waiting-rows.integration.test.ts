/** @module-tag plain */
// It explains statements, which on a cluster are texts within calls where they run on shards.
import { beforeAll, describe, expect, it } from 'vitest';
import type { Client } from '../../src/base/database.ts';
import { deleteRowsOfAlert, purgeOrphans } from '../../src/matching/purge-orphans.ts';
import { deferAlerts, deferAlertsFor, endOrDeferWaiting } from '../../src/notify/channels/email/lock-alerts.ts';
import { deferWaiting, dropWaiting, readLeavingPairs } from '../../src/notify/channels/one-alert.ts';
import { dropTexts } from '../../src/notify/channels/sms/stop-texts.ts';
import { readNotificationLog } from '../../src/notify/read-log.ts';
import { dropWaiting as dropDismissed, releaseAlerts, releaseUser } from '../../src/notify/release-waiting.ts';
import { setUpDatabase } from '../database.ts';
import { insertAlert, insertListing, insertPlan, insertUser } from '../mail/mail-fixtures.ts';
import { rowsReadWithin } from './rows-read.ts';

const db = setUpDatabase();

/** Waiting rows of 2,000 alerts, of which each statement below is about one alert, or about ten of one user. */
const WAITING = 100_000;
const ROWS_OF_ALERT = 50;
/** Far more than the rows of ten alerts on three channels, and far fewer than what waits. */
const MAX_ROWS = 5_000;

let alerts: { id: number; alertId: number; userId: number }[] = [];
const first = () => alerts[0] ?? { id: 0, alertId: 0, userId: 0 };
let userId = 0;

beforeAll(async () => {
  const { pool } = db;
  // As in a new system, before the first analyze.
  for (const table of ['notifications_1', 'mails', 'pushes'])
    await pool.query(`alter table ${table} set (autovacuum_enabled = false)`);
  await insertPlan(pool);
  userId = await insertUser(pool);
  const listingId = await insertListing(pool);
  alerts = [];
  for (let at = 0; at < 10; at += 1) {
    const id = await insertAlert(pool, userId);
    alerts.push({ id, alertId: id, userId });
  }
  await pool.query(
    `insert into notifications (user_id, alert_id, listing_id, channel, due_at)
     select $5, $1::int8 + n % $2, $3::int8 + n, (array['email', 'sms', 'push'])[1 + n % 3], now() from generate_series(1, $4::int4) n`,
    [first().id, WAITING / ROWS_OF_ALERT, listingId, WAITING, userId],
  );
  await pool.query(
    `insert into mails (kind, user_id, alert_id, to_address)
     select 'match', $4, $1::int8 + n % $2, 'a@example.com' from generate_series(1, $3::int4) n`,
    [first().id, WAITING / ROWS_OF_ALERT, WAITING, userId],
  );
  await pool.query(
    `insert into pushes (id, user_id, alert_id, kind, devices, status, next_try_at)
     select gen_random_uuid(), $4, $1::int8 + n % $2, 'match', '{}', 'waiting', now() from generate_series(1, $3::int4) n`,
    [first().id, WAITING / ROWS_OF_ALERT, WAITING, userId],
  );
});

/** @returns the rows that its statements about such rows read */
const explained = (work: Work) => rowsReadWithin(db, /\b(notifications|mails|pushes)\b/, work);

const until = new Date(Date.now() + 3_600_000);
const none = { watching: new Map(), off: [], unconfirmed: [], suppressed: [], rematching: [], gone: [], busy: [] };

type Work = (client: Client) => Promise<unknown>;

describe('without statistics, and with 100,000 rows that wait', () => {
  it.each<[string, Work]>([
    ['releases alerts', (client) => releaseAlerts(client, alerts)],
    ['releases a user', (client) => releaseUser(client, userId)],
    ['drops what was dismissed', (client) => dropDismissed(client, first(), [1, 2, 3])],
    [
      'defers mails',
      (client) =>
        deferAlerts(
          client,
          alerts.map((alert) => ({ ...alert, until, heldBy: 'digest' })),
        ),
    ],
    ['defers mails for some time', (client) => deferAlertsFor(client, alerts, 60_000)],
    ['drops mails', (client) => endOrDeferWaiting(client, { ...none, off: alerts })],
    ['defers texts', (client) => deferWaiting(client, 'sms', first(), 60_000)],
    ['drops texts', (client) => dropWaiting(client, 'sms', first(), null)],
    ['drops texts of a user', (client) => dropTexts(client, [userId])],
    ['drops push messages', (client) => readLeavingPairs(client, 'push', first(), 'off')],
    ['reads the log', (client) => readNotificationLog(client, { userId, first: 20, confirmEmail: true })],
    ['deletes an alert', (client) => deleteRowsOfAlert(client, first())],
    ['deletes what deleted alerts left', (client) => purgeOrphans('notifications')(client, { rows: 100, after: null })],
  ])('%s by reading few of them', async (_name, work) => {
    const read = await explained(work);
    expect(read.length).toBeGreaterThan(0);
    expect(read.filter(({ rows }) => rows > MAX_ROWS)).toEqual([]);
  });
});
