import { expect, it } from 'vitest';
import { insertAlert, insertListing, insertMatch, insertUser, setUpMails } from '../../../test/mail/mail-fixtures.ts';
import { findDueAlerts as findDueMails } from './email/claim-mails.ts';
import { findDueAlerts } from './one-alert.ts';

const { db } = setUpMails();

/** A buyer whose messages are paused, with 6,000 rows of 200 alerts that were made due an hour ago. */
async function insertCrowd(channel: string): Promise<number[]> {
  const userId = await insertUser(db.pool, { messages_paused_at: new Date() });
  const first = await insertAlert(db.pool, userId);
  await db.pool.query(
    `insert into alerts (user_id, make, location, place, lat, lng, radius, pending_match)
     select user_id, make, location, place, lat, lng, radius, false from alerts, generate_series(2, 200) where id = $1`,
    [first],
  );
  const { rows } = await db.pool.query<{ id: number }>('select id from alerts where user_id = $1 order by id', [
    userId,
  ]);
  await db.pool.query(
    `insert into notifications (user_id, alert_id, listing_id, channel, due_at)
     select $1, a.id, n, $2, now() - interval '1 hour' from alerts a, generate_series(1, 30) n where a.user_id = $1`,
    [userId, channel],
  );
  return rows.map(({ id }) => id);
}

it.each([
  ['email', () => findDueMails(db.pool)],
  ['push', () => findDueAlerts(db.pool, 'push', [])],
  ['sms', () => findDueAlerts(db.pool, 'sms', [])],
] as const)('%s: an owner of 6,000 due rows keeps nobody waiting, and owners take turns', async (channel, find) => {
  const crowd = await insertCrowd(channel);
  expect(crowd).toHaveLength(200);
  const others: number[] = [];
  for (let made = 0; made < 3; made += 1) {
    const alertId = await insertAlert(db.pool, await insertUser(db.pool));
    for (let cars = 0; cars < 2; cars += 1)
      await insertMatch(db.pool, alertId, await insertListing(db.pool), { channel });
    others.push(alertId);
  }
  const found = (await find()).map(({ alertId }) => alertId);
  expect(found.slice(1, 4)).toEqual(others);
  expect(crowd).toContain(found[0]);
  expect(new Set(found).size).toBe(found.length);
});
