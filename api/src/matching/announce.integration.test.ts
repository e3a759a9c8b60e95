import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { setUpDatabase } from '../../test/database.ts';
import { changeAlerts, mailAlerts } from '../../test/matching/change-alerts.ts';
import { changeListings, markListings, unmarkListings } from '../../test/matching/listing-marks.ts';
import {
  camry,
  camryAlert,
  insertAlerts,
  insertListings,
  insertUsers,
  type TestListing,
} from '../../test/matching/match-rows.ts';
import { channels } from '../base/channels.ts';
import { startListener } from '../base/listener.ts';
import { silentLog } from '../base/log.ts';
import { matchPendingAlerts } from './match-alerts.ts';
import { matchPendingListings } from './match-listings.ts';

let userId: number;
let alertId: number;

const db = setUpDatabase(async () => {
  [userId = 0] = await insertUsers(db.pool);
});
beforeEach(async () => {
  [alertId = 0] = await insertAlerts(db.pool, userId, [camryAlert]);
});
afterEach(async () => {
  await db.pool.query('truncate alerts, alert_cells, listings, listings_to_match, matches, notifications');
});

const run = (sql: string, values: unknown[] = []) => db.pool.query(sql, values);
const notifications = () =>
  db.rows('select listing_id as "listingId", kind, price, user_id as "userId" from notifications order by id');
const matches = () =>
  db.rows(
    'select listing_id as "listingId", alert_version as version, announced, price from matches order by listing_id',
  );

async function list(listing: Partial<TestListing> = {}, columns: Record<string, unknown> = {}): Promise<number> {
  const [id = 0] = await insertListings(db.pool, [{ ...camry, ...listing }]);
  for (const [column, value] of Object.entries(columns)) {
    await run(`update listings set ${column} = $2 where id = $1`, [id, value]);
  }
  return id;
}

async function match(): Promise<void> {
  while ((await matchPendingListings(db.pool)) > 0);
  while ((await matchPendingAlerts(db.pool)) > 0);
}

async function change(id: number, columns: string): Promise<void> {
  await changeListings(db.pool, columns, { where: 'id = $1', values: [id] });
  await match();
}

describe('a new listing', () => {
  it('is announced once, two seconds later, with the facts that are not stated', async () => {
    const id = await list();
    await match();
    await markListings(db.pool);
    await match();
    expect(await notifications()).toEqual([{ listingId: id, kind: 'match', price: 10_000, userId }]);
    const [row] = await db.rows(
      `select m.not_stated, m.distance_miles, extract(epoch from n.due_at - n.created_at)::float8 as delay
         from matches m join notifications n using (listing_id, alert_id, user_id)`,
    );
    expect(row).toMatchObject({ not_stated: 1, delay: 2 });
    expect(row.distance_miles).toBeCloseTo(8.72, 1);
  });

  it('waits until five minutes after the last mail of its alert', async () => {
    await mailAlerts(db, '1 minute');
    await list();
    await match();
    const [row] = await db.rows('select extract(epoch from due_at - now())::float8 as delay from notifications');
    expect(row.delay).toBeGreaterThan(230);
    expect(row.delay).toBeLessThan(241);
  });

  it.each([
    ['the alert sends no mail', () => changeAlerts(db, 'email_notifications = false')],
    ['the source is read for the first time', () => run('update listings set announce = false')],
  ])('is shown, not announced, where %s', async (_name, silence) => {
    const id = await list();
    await silence();
    await match();
    expect(await matches()).toEqual([{ listingId: id, version: 1, announced: false, price: 10_000 }]);
    expect(await notifications()).toEqual([]);
  });

  it.each(['pending', 'sold', 'gone'])('does not match when it is %s', async (status) => {
    const id = await list({}, { status });
    await match();
    expect(await matches()).toEqual([]);
    expect(await db.rows(`select from listings_to_match where listing_id = ${id}`)).toEqual([]);
  });

  it.each([
    ['alerts', (past: string) => changeAlerts(db, past)],
    ['alert_cells', (past: string) => run(`update alert_cells set ${past}`)],
  ])('does not match after the expiry in %s, even before the expiry job', async (_table, change) => {
    await change("expires_at = now() - interval '1 second'");
    await list();
    await match();
    expect(await matches()).toEqual([]);
  });
});

describe('an existing listing', () => {
  it('is shown if it is from the last 14 days, and not announced', async () => {
    const ids = [await list(), await list(), await list(), await list({ price: 30_000 })];
    await unmarkListings(db.pool);
    await run(`update listings set seen_at = now() - interval '13 days 23 hours' where id = ${ids[0]}`);
    await run(`update listings set seen_at = now() - interval '14 days 1 hour' where id = ${ids[1]}`);
    await run(`update listings set status = 'sold' where id = ${ids[2]}`);
    await run('update alerts set pending_match = true');
    await match();
    expect(await matches()).toEqual([{ listingId: ids[0], version: 1, announced: false, price: 10_000 }]);
    expect(await notifications()).toEqual([]);
    expect(await db.rows('select pending_match from alerts')).toEqual([{ pending_match: false }]);
  });

  it('is left to its own search while it waits, and announced by that', async () => {
    await list();
    await run('update alerts set pending_match = true');
    await matchPendingAlerts(db.pool);
    expect(await matches()).toEqual([]);
    await match();
    expect(await notifications()).toHaveLength(1);
  });
});

describe('an edited alert', () => {
  it('hides pairs that no longer fit, keeps them, and shows old and sold ones that fit', async () => {
    const ids = [await list({ price: 9_000 }), await list({ price: 11_000 }), await list({ price: 12_000 })];
    await match();
    await run(`update listings set seen_at = now() - interval '30 days' where id = ${ids[0]}`);
    await run(`update listings set status = 'sold' where id = ${ids[1]}`);
    await run('update alerts set price_max = 11500, version = 2, pending_match = true');
    await match();
    expect((await matches()).map(({ listingId, version }) => [listingId, version])).toEqual([
      [ids[0], 2],
      [ids[1], 2],
      [ids[2], 0],
    ]);
    await run('update alerts set price_max = 12000, version = 3, pending_match = true');
    await match();
    expect((await matches()).map(({ version }) => version)).toEqual([3, 3, 3]);
    expect((await matches()).every(({ announced }) => announced)).toBe(true);
    expect(await notifications()).toHaveLength(3);
  });

  it('has its pairs judged again while it is switched off, without a backfill', async () => {
    const id = await list();
    await match();
    await list();
    await unmarkListings(db.pool);
    await run('update alerts set is_active = false, version = 2, price_max = 10000, pending_match = true');
    await match();
    expect(await matches()).toEqual([{ listingId: id, version: 2, announced: true, price: 10_000 }]);
  });

  it('hides listings that left its range when it is switched on again', async () => {
    const id = await list();
    await match();
    await run('update alerts set is_active = false');
    await run('delete from alert_cells');
    await change(id, 'price = 90000');
    expect(await matches()).toMatchObject([{ version: 1 }]);
    await run('update alerts set is_active = true, pending_match = true');
    await match();
    expect(await matches()).toMatchObject([{ version: 0 }]);
  });
});

describe('a changed listing', () => {
  it('is a match when its price drops into the range', async () => {
    const id = await list({ price: 21_000 });
    await match();
    expect(await matches()).toEqual([]);
    await change(id, 'price = 20000');
    expect(await notifications()).toEqual([{ listingId: id, kind: 'match', price: 20_000, userId }]);
  });

  it('is announced again for a price drop of 5 % since the last announcement, and not for less', async () => {
    const id = await list();
    await match();
    await change(id, 'price = 9501');
    expect(await notifications()).toHaveLength(1);
    await change(id, 'price = 9500');
    expect((await notifications())[1]).toEqual({ listingId: id, kind: 'price_drop', price: 9_500, userId });
    await change(id, 'price = 9400');
    await change(id, 'price = 10000');
    await change(id, 'price = 9500');
    expect(await notifications()).toHaveLength(2);
    await change(id, 'price = 9025');
    expect(await notifications()).toHaveLength(3);
    expect(await matches()).toEqual([{ listingId: id, version: 1, announced: true, price: 9_025 }]);
  });

  it('is announced for a price drop even if it was only shown before', async () => {
    const id = await list();
    await unmarkListings(db.pool);
    await run('update alerts set pending_match = true');
    await match();
    await change(id, 'price = 9000');
    expect(await notifications()).toEqual([{ listingId: id, kind: 'price_drop', price: 9_000, userId }]);
    expect(await matches()).toMatchObject([{ announced: true, price: 9_000 }]);
  });

  it('is hidden while it is out of range, and not announced again when it comes back', async () => {
    const id = await list();
    await match();
    await change(id, 'price = 30000');
    expect(await matches()).toMatchObject([{ version: 0 }]);
    await change(id, 'price = 10000');
    expect(await matches()).toMatchObject([{ version: 1, announced: true }]);
    expect(await notifications()).toHaveLength(1);
  });

  it('stays shown when it is sold', async () => {
    const id = await list();
    await match();
    await change(id, "status = 'sold'");
    expect(await matches()).toMatchObject([{ listingId: id, version: 1 }]);
  });
});

describe('a relisted car', () => {
  const relist = async (columns: Partial<TestListing>) => {
    await list(columns, { car_id: 1 });
    await match();
  };

  it('is a match, but not announced for 30 days unless it is 5 % cheaper', async () => {
    await relist({});
    await relist({ price: 9_501 });
    expect(await matches()).toHaveLength(2);
    expect((await matches()).map(({ announced }) => announced)).toEqual([true, false]);
    expect(await notifications()).toHaveLength(1);
    await relist({ price: 9_500 });
    expect(await notifications()).toHaveLength(2);
    await relist({ price: 9_400 });
    expect(await notifications()).toHaveLength(2);
    await run("update notifications set created_at = now() - interval '31 days'");
    await relist({});
    expect(await notifications()).toHaveLength(3);
    expect(await matches()).toHaveLength(5);
  });

  it('is not announced twice when both come at once, in one batch or to two workers', async () => {
    await insertListings(db.pool, Array(20).fill(camry));
    await run('update listings set car_id = 1');
    await Promise.all(
      [1, 2, 3].map(async () => {
        while ((await matchPendingListings(db.pool, 4)) > 0);
      }),
    );
    while ((await matchPendingListings(db.pool)) > 0);
    expect(await matches()).toHaveLength(20);
    expect(await notifications()).toHaveLength(1);
  });

  it('is announced to another alert', async () => {
    await relist({});
    await insertAlerts(db.pool, userId, [{ ...camryAlert, model: null }]);
    await relist({});
    expect(await notifications()).toHaveLength(2);
  });
});

it('notifies the API processes and the sender when the transaction commits', async () => {
  const received: [string, string][] = [];
  const listener = await startListener(db.url, silentLog);
  for (const channel of [channels.matches, channels.work]) {
    await listener.on(channel, (payload) => received.push([channel, payload]));
  }
  const id = await list();
  await match();
  const second = await list();
  await unmarkListings(db.pool);
  await run('update alerts set pending_match = true');
  await match();
  // Notifications arrive in order, so that all earlier ones have arrived before this one.
  await run(`select pg_notify('${channels.work}', 'last')`);
  await expect.poll(() => received.at(-1)).toEqual([channels.work, 'last']);
  await listener.close();
  const matched = received
    .filter(([channel]) => channel === channels.matches)
    .map(([, payload]) => JSON.parse(payload));
  const [row] = await db.rows(`select position::text from matches where listing_id = ${id}`);
  expect(matched).toMatchObject([{ position: row.position, listings: [id] }, { alerts: [alertId] }]);
  expect(received.filter(([channel]) => channel === channels.work)).toEqual([
    [channels.work, 'send'],
    [channels.work, 'last'],
  ]);
  expect(second).toBeGreaterThan(id);
});
