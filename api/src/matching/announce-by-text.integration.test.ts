import { beforeEach, describe, expect, it } from 'vitest';
import { onCluster, setUpDatabase } from '../../test/database.ts';
import { changeAlerts } from '../../test/matching/change-alerts.ts';
import { changeListings } from '../../test/matching/listing-marks.ts';
import { camry, camryAlert, insertAlerts, insertListings, insertUsers } from '../../test/matching/match-rows.ts';
import { seedPlans } from '../billing/plans.ts';
import { matchPendingListings } from './match-listings.ts';

let userId: number;
let alertId: number;

const db = setUpDatabase(async () => {
  await seedPlans(db.pool);
  [userId = 0] = await insertUsers(db.pool);
});
beforeEach(async () => {
  await db.pool.query('truncate alerts, alert_cells, listings, listings_to_match, matches, notifications, text_stops');
  await db.pool.query(
    "update users set plan_id = 2, phone = '+15125550123', phone_confirmed_at = now() where id = $1",
    [userId],
  );
  [alertId = 0] = await insertAlerts(db.pool, userId, [camryAlert]);
  await changeAlerts(db, 'text_notifications = true');
});

const run = (sql: string, values: unknown[] = []) => db.pool.query(sql, values);
const notifications = async () =>
  (await run('select channel, kind, price from notifications order by listing_id, kind, channel')).rows.map(
    ({ channel, kind, price }) => `${channel} ${kind} ${price}`,
  );
const announced = async () =>
  (await run('select announced from matches order by listing_id')).rows.map((row) => row.announced);

async function list(price = 10_000): Promise<number> {
  const [id = 0] = await insertListings(db.pool, [{ ...camry, price }]);
  while ((await matchPendingListings(db.pool)) > 0);
  return id;
}

async function change(id: number, columns: string): Promise<void> {
  await changeListings(db.pool, columns, { where: 'id = $1', values: [id] });
  while ((await matchPendingListings(db.pool)) > 0);
}

it('writes a notification for the mail and one for the text, both due two seconds later', async () => {
  await list();
  expect(await notifications()).toEqual(['email match 10000', 'sms match 10000']);
  const { rows } = await run(
    'select user_id as "userId", alert_id as "alertId", extract(epoch from due_at - created_at)::float8 as delay from notifications',
  );
  expect(rows).toEqual(Array.from({ length: 2 }, () => ({ userId, alertId, delay: 2 })));
});

it('sends only texts when mails are off, also for a price drop', async () => {
  await changeAlerts(db, 'email_notifications = false');
  const id = await list();
  await change(id, 'price = 9800');
  await change(id, 'price = 9000');
  expect(await notifications()).toEqual(['sms match 10000', 'sms price_drop 9000']);
  expect(await announced()).toEqual([true]);
});

it('throttles texts by the last text, and mails by the last mail', async () => {
  await run("update alerts set last_texted_at = now() - interval '1 minute'");
  await list();
  const { rows } = await run(
    'select channel, round(extract(epoch from due_at - now()))::int > 200 as later from notifications order by 1',
  );
  expect(rows).toEqual([
    { channel: 'email', later: false },
    { channel: 'sms', later: true },
  ]);
});

describe('only mails are sent', () => {
  it.each([
    ['on Free', () => run('update users set plan_id = 1')],
    ['while the phone is unconfirmed', () => run('update users set phone_confirmed_at = null')],
    ['after STOP', () => run("insert into text_stops (phone) values ('+15125550123')")],
    ['where no texts are asked for', () => changeAlerts(db, 'text_notifications = false')],
  ])('%s', async (_what, forbid) => {
    await forbid();
    await list();
    expect(await notifications()).toEqual(['email match 10000']);
  });
});

it('does not count a match without notifications as announced', async () => {
  await changeAlerts(db, 'email_notifications = false');
  await run('update users set plan_id = 1');
  await list();
  expect(await notifications()).toEqual([]);
  expect(await announced()).toEqual([false]);
});

// A trigger for the version before does it, which a cluster does not have.
it.skipIf(onCluster)('follows the switch, changed by SQL or by a verb', async () => {
  const texts = async () => (await run('select distinct texts from alert_cells')).rows;
  expect(await texts()).toEqual([{ texts: true }]);
  await run('update alerts set text_notifications = false');
  expect(await texts()).toEqual([{ texts: false }]);
});
