import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { setUpDatabase } from '../../test/database.ts';
import { untilMatchesVisible } from '../../test/factories.ts';
import { changeListings, markListings } from '../../test/matching/listing-marks.ts';
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
import { readMatchPage } from '../live/read-matches.ts';
import { matchPendingAlerts } from '../matching/match-alerts.ts';
import { matchPendingListings } from '../matching/match-listings.ts';
import { dismissCar, findCarForLink, hideCar, restoreCar } from './dismiss-car.ts';

let userId: number;
let otherId: number;
let alertId: number;

const db = setUpDatabase(async () => {
  [userId = 0, otherId = 0] = await insertUsers(db.pool, 2);
});
beforeEach(async () => {
  [alertId = 0] = await insertAlerts(db.pool, userId, [camryAlert]);
});
afterEach(async () => {
  await db.pool.query(
    'truncate alerts, alert_cells, listings, listings_to_match, matches, notifications, webhooks, price_drops cascade',
  );
});

const run = (sql: string, values: unknown[] = []) => db.pool.query(sql, values);
const em = () => db.orm.em.fork();

async function match(): Promise<void> {
  while ((await matchPendingListings(db.pool)) > 0);
  while ((await matchPendingAlerts(db.pool)) > 0);
}

/** Lists a car and matches it. @param carId of listings of the same car */
async function list(listing: Partial<TestListing> = {}, carId: number | null = null): Promise<number> {
  const [id = 0] = await insertListings(db.pool, [{ ...camry, ...listing }]);
  await run('update listings set car_id = $2 where id = $1', [id, carId]);
  await match();
  return id;
}

async function change(id: number, columns: string): Promise<void> {
  await changeListings(db.pool, columns, { where: 'id = $1', values: [id] });
  await match();
}

/** The listings that the alert shows. */
async function shown(alert = alertId): Promise<number[]> {
  await untilMatchesVisible(db.pool);
  const { rows } = await readMatchPage(db.pool, { userId, alertId: alert, first: 50 });
  return rows.map(({ listingId }) => listingId).sort((a, b) => a - b);
}

const decided = () =>
  db.rows('select listing_id as "listingId", kind, status from notifications where alert_id = $1 order by id', [
    alertId,
  ]);
const sendAll = () => run("update notifications set status = 'sent', settled_at = now() where status = 'waiting'");
const dismiss = (listingId: number, by = userId) => dismissCar(em(), { alertId, userId: by, listingId });
const restore = (listingId: number) => restoreCar(em(), { alertId, userId, listingId });

describe('a dismissed car', () => {
  it('is hidden from its alert, and nothing that waits about it leaves', async () => {
    const [listingId, other] = [await list(), await list()];
    const [secondAlert = 0] = await insertAlerts(db.pool, userId, [camryAlert]);
    await markListings(db.pool);
    await match();
    await dismiss(listingId);
    expect(await shown()).toEqual([other]);
    expect(await shown(secondAlert)).toEqual([listingId, other]);
    expect(await decided()).toEqual([
      { listingId, kind: 'match', status: 'dropped' },
      { listingId: other, kind: 'match', status: 'waiting' },
    ]);
    await dismiss(listingId);
    expect(await shown()).toEqual([other]);
  });

  it('is not announced when it gets cheaper, neither by mail nor to webhooks', async () => {
    await run(
      `insert into webhooks (user_id, url, secret_ciphertext, events) values ($1, 'https://x.example', 'x', '{listing.price_dropped}')`,
      [userId],
    );
    const [listingId, other] = [await list(), await list()];
    await sendAll();
    await dismiss(listingId);
    for (const id of [listingId, other]) await change(id, 'price = 9000');
    expect(await shown()).toEqual([other]);
    expect((await decided()).map(({ listingId: id, kind }) => [id, kind])).toEqual([
      [listingId, 'match'],
      [other, 'match'],
      [other, 'price_drop'],
    ]);
    expect(await db.rows('select listing_id as id from price_drops')).toEqual([{ id: other }]);
  });

  it('stays hidden when it leaves the range and comes back, and when the alert is edited', async () => {
    const listingId = await list();
    await sendAll();
    await dismiss(listingId);
    await change(listingId, 'price = 30000');
    await change(listingId, 'price = 10000');
    expect(await shown()).toEqual([]);
    for (const priceMax of [5_000, 20_000]) {
      await run('update alerts set version = version + 1, price_max = $1, pending_match = true', [priceMax]);
      await run('update alert_cells set alert_version = alert_version + 1, price_max = $1', [priceMax]);
      await match();
      await markListings(db.pool);
      await match();
      expect(await shown()).toEqual([]);
    }
    expect(await decided()).toHaveLength(1);
  });

  it('stays hidden under every other listing, earlier and later, however cheap', async () => {
    const [first, second] = [await list({}, 77), await list({}, 77)];
    await sendAll();
    await dismiss(second);
    expect(await shown()).toEqual([]);
    await list({ price: 5_000 }, 77);
    await list({ price: 4_000 }, 77);
    const another = await list({}, 78);
    expect(await shown()).toEqual([another]);
    expect((await decided()).filter(({ status }) => status === 'waiting')).toEqual([
      { listingId: another, kind: 'match', status: 'waiting' },
    ]);
    // A backfill finds listings of the car that no search has matched yet.
    await run('delete from matches where listing_id > $1 and listing_id < $2', [second, another]);
    await run('update alerts set pending_match = true');
    await match();
    expect(await shown()).toEqual([another]);
    expect(first).toBeLessThan(second);
  });

  it('is shown again after an undo, at a new position of which pages are notified, and then gets messages', async () => {
    const heard: unknown[] = [];
    const listener = await startListener(db.url, silentLog);
    await listener.on(channels.matches, (text) => heard.push(JSON.parse(text)));
    try {
      const [first, second] = [await list({}, 77), await list({}, 77)];
      await sendAll();
      const positions = () => db.rows('select position from matches order by listing_id');
      const before = await positions();
      await dismiss(first);
      heard.length = 0;
      await restore(first);
      expect(await shown()).toEqual([first, second]);
      const after = await positions();
      for (const [at, { position }] of after.entries()) {
        expect(BigInt(position)).toBeGreaterThan(BigInt(before[at].position));
      }
      await expect.poll(() => heard).toEqual([{ position: String(after[0].position), alerts: [alertId] }]);
      await change(first, 'price = 9000');
      expect((await decided()).at(-1)).toMatchObject({ listingId: first, kind: 'price_drop', status: 'waiting' });
    } finally {
      await listener.close();
    }
  });

  it('that no longer fits stays hidden after an undo', async () => {
    const listingId = await list();
    await dismiss(listingId);
    await change(listingId, 'price = 30000');
    await restore(listingId);
    expect(await shown()).toEqual([]);
    await change(listingId, 'price = 10000');
    expect(await shown()).toEqual([listingId]);
  });

  it('can only be dismissed by the owner of the alert, and only where it matched', async () => {
    const listingId = await list();
    await expect(dismiss(listingId, otherId)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(dismiss(listingId + 1_000)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await findCarForLink(db.pool, { alertId, userId: otherId, listingId })).toBeNull();
    expect(await findCarForLink(db.pool, { alertId, userId, listingId })).toMatchObject({ isDismissed: false });
    await dismiss(listingId);
    expect(await findCarForLink(db.pool, { alertId, userId, listingId })).toMatchObject({ isDismissed: true });
  });

  it('can be hidden from all alerts of its buyer that show it, and shown in all of them again', async () => {
    const [second = 0] = await insertAlerts(db.pool, userId, [camryAlert]);
    const [others = 0] = await insertAlerts(db.pool, otherId, [camryAlert]);
    const [first, other] = [await list({}, 77), await list()];
    const later = await list({}, 77);
    const hide = (hidden: boolean, by = userId) => hideCar(em(), { userId: by, listingId: first }, hidden);
    await run('delete from matches where alert_id = $1', [others]);
    await expect(hide(true, otherId)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await hide(true);
    await hide(true);
    for (const alert of [alertId, second]) expect(await shown(alert)).toEqual([other]);
    const waiting = await db.rows(
      "select distinct listing_id as id from notifications where status = 'waiting' and user_id = $1",
      [userId],
    );
    expect(waiting).toEqual([{ id: other }]);
    expect(later).toBeGreaterThan(first);
    await list({ price: 5_000 }, 77);
    expect(await shown(second)).toEqual([other]);
    await hide(false);
    await hide(false);
    for (const alert of [alertId, second]) expect(await shown(alert)).toHaveLength(4);
    await expect(hideCar(em(), { userId, listingId: first + 1_000 }, false)).rejects.toMatchObject({
      code: 'NOT_FOUND',
    });
  });

  it('is hidden by its buyer also from alerts that it does not fit now, and nothing is sent about it through them', async () => {
    const [wide = 0] = await insertAlerts(db.pool, userId, [{ ...camryAlert, priceMax: 40_000 }]);
    const listingId = await list({}, 77);
    await sendAll();
    await run('insert into saved_listings (user_id, listing_id) values ($1, $2)', [userId, listingId]);
    await change(listingId, 'price = 30000');
    expect([await shown(), await shown(wide)]).toEqual([[], [listingId]]);
    await hideCar(em(), { userId, listingId }, true);
    await run('update alerts set last_mailed_at = null where user_id = $1', [userId]);
    await change(listingId, 'price = 9000');
    expect([await shown(), await shown(wide)]).toEqual([[], []]);
    expect(await db.rows("select id from notifications where status = 'waiting'")).toEqual([]);
    await hideCar(em(), { userId, listingId }, false);
    expect([await shown(), await shown(wide)]).toEqual([[listingId], [listingId]]);
  });

  it('is shown again by an undo that comes before the car is hidden', async () => {
    const listingId = await list();
    let undo = Promise.resolve();
    await em().transactional(async (tx) => {
      await hideCar(tx, { userId, listingId }, true);
      undo = hideCar(em(), { userId, listingId }, false);
      const waits = expect.poll(() => db.lockWaits()).toBe(1);
      await Promise.race([undo, waits]);
    });
    await undo;
    expect(await shown()).toEqual([listingId]);
  });

  it('is neither hidden nor restored by a listing of the car that its buyer does not know', async () => {
    const known = await list({}, 77);
    const [unknown = 0] = await insertListings(db.pool, [{ ...camry, price: 90_000 }]);
    await run('update listings set car_id = 77 where id = $1', [unknown]);
    await match();
    const hide = (listingId: number, hidden: boolean) => hideCar(em(), { userId, listingId }, hidden);
    for (const hidden of [true, false]) {
      await expect(hide(unknown, hidden)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    }
    expect(await shown()).toEqual([known]);
    await hide(known, true);
    await expect(hide(unknown, false)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await shown()).toEqual([]);
    await hide(known, false);
    // That of a car that left the range is forgotten, unless it is to be hidden.
    await change(known, 'price = 30000');
    await expect(hide(known, false)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await hide(known, true);
  });

  it('and a search that runs at the same time leave it hidden', async () => {
    const ids = await Promise.all(Array.from({ length: 10 }, (_, at) => list({}, 100 + at)));
    await sendAll();
    const relist = insertListings(
      db.pool,
      ids.map(() => camry),
    ).then(async (later) => {
      for (const [at, id] of later.entries()) {
        await run('update listings set car_id = $2 where id = $1', [id, 100 + at]);
      }
      await markListings(db.pool);
      await match();
    });
    await Promise.all([relist, ...ids.map((id) => dismiss(id))]);
    expect(await shown()).toEqual([]);
  });
});
