import { afterEach, describe, expect, it } from 'vitest';
import { setUpDatabase } from '../../test/database.ts';
import { insertUsers } from '../../test/matching/match-rows.ts';
import { disableOldTriggers } from '../../test/schema/triggers.ts';
import type { Gazetteer, Place } from '../domain/places/places.ts';
import { Alert } from '../entities/alert.ts';
import { shareAlert } from '../listings/shared-links.ts';
import type { AlertInput, AlertPatch } from './alert-input.ts';
import { createAlert } from './create-alert.ts';
import { deleteAlert } from './delete-alert.ts';
import { expireAlerts } from './expire-alerts.ts';
import { renewAlert } from './renew-alert.ts';
import { updateAlert } from './update-alert.ts';

const places: Record<string, Place> = {
  'los angeles': place('Los Angeles', 'CA', 34.05, -118.24),
  austin: place('Austin', 'TX', 30.27, -97.74),
};
const gazetteer: Gazetteer = {
  resolve: (text) => places[text.toLowerCase()] ?? null,
  named: () => null,
  suggest: () => [],
};
const now = new Date();
const deps = { gazetteer, now, hasTexts: true };
const camry = { make: 'toyota', model: 'camry', location: 'Los Angeles', radius: 50 };

let viewer: { id: number };
let other: { id: number };

const db = setUpDatabase(async () => {
  const [first = 0, second = 0] = await insertUsers(db.pool, 2);
  viewer = { id: first };
  other = { id: second };
  await disableOldTriggers(db.pool);
});
afterEach(async () => {
  for (const table of ['alerts', 'alert_cells', 'matches', 'notifications'])
    await db.pool.query(`delete from ${table}`);
  await db.pool.query('update users set plan_id = 4');
});

function place(name: string, state: string, lat: number, lng: number): Place {
  return { name, state, zip: null, lat, lng, population: 1, label: `${name}, ${state}` };
}

const em = () => db.orm.em.fork();
const create = (input: AlertInput = {}) => createAlert(em(), deps, viewer, { ...camry, ...input });
const update = (id: number, patch: object) => updateAlert(em(), deps, viewer, id, patch);
const stored = (id: number) => em().findOneOrFail(Alert, { id });
const onFree = () => db.pool.query('update users set plan_id = 1');
const clearPending = () => db.pool.query('update alerts set pending_match = false');
const expireNow = (id: number) =>
  db.pool.query("update alerts set expires_at = now() - interval '1 minute' where id = $1", [id]);

async function cellsOf(id: number) {
  return db.rows('select * from alert_cells where alert_id = $1', [id]);
}

describe('updateAlert', () => {
  it('leaves absent fields and clears null and empty ones', async () => {
    const { id } = await create({ yearMin: 2015, priceMin: 1000, priceMax: 9000, color: 'red' });
    await update(id, { priceMax: null, color: '', yearMin: 2016 });
    expect(await stored(id)).toMatchObject({
      model: 'camry',
      yearMin: 2016,
      priceMin: 1000,
      priceMax: null,
      color: null,
    });
    await update(id, { model: null });
    expect((await stored(id)).model).toBeNull();
  });

  it('clears the model with a new make, and sets a model that is given with it', async () => {
    const { id } = await create();
    await update(id, { make: 'toyota' });
    expect((await stored(id)).model).toBe('camry');
    await update(id, { make: 'honda' });
    expect(await stored(id)).toMatchObject({ make: 'honda', model: null });
    await update(id, { make: 'toyota', model: 'corolla' });
    expect(await stored(id)).toMatchObject({ make: 'toyota', model: 'corolla' });
    await expect(update(id, { make: 'honda', model: 'camry' })).rejects.toMatchObject({ code: 'VALIDATION' });
  });

  it.each([
    ['make', 'Car make is required'],
    ['location', 'Location is required'],
    ['radius', 'Distance radius is required'],
  ])('refuses to clear the %s', async (name, message) => {
    const { id } = await create();
    for (const value of [null, '']) {
      await expect(update(id, { [name]: value })).rejects.toMatchObject({ fields: { [name]: message } });
    }
  });

  it('validates a new bound against the stored other one', async () => {
    const { id } = await create({ priceMin: 5000 });
    await expect(update(id, { priceMax: 4000 })).rejects.toMatchObject({
      fields: { priceMin: 'The minimum is above the maximum.', priceMax: 'The minimum is above the maximum.' },
    });
    expect((await stored(id)).priceMax).toBeNull();
  });

  it('increments the version and rewrites the cells for changed criteria only', async () => {
    const { id } = await create();
    await clearPending();
    await update(id, { emailNotifications: false, ...camry });
    expect(await stored(id)).toMatchObject({ version: 1, pendingMatch: false, emailNotifications: false });
    await update(id, { location: 'austin' });
    expect(await stored(id)).toMatchObject({ version: 2, pendingMatch: true, place: 'Austin, TX', lat: 30.27 });
    const cells = await cellsOf(id);
    expect(cells.length).toBeGreaterThan(0);
    expect(new Set(cells.map((cell) => cell.alert_version))).toEqual(new Set([2]));
  });

  it('switches off, and on within the limit of the plan', async () => {
    await onFree();
    const { id } = await create();
    await update(id, { isActive: false });
    expect(await cellsOf(id)).toEqual([]);
    await clearPending();
    const second = await create();
    await expect(update(id, { isActive: true })).rejects.toMatchObject({ code: 'PLAN_LIMIT', needsUpgrade: true });
    expect((await stored(id)).isActive).toBe(false);
    await update(second.id, { isActive: true });
    await update(second.id, { isActive: false });
    await update(id, { isActive: true });
    expect(await stored(id)).toMatchObject({ isActive: true, pendingMatch: true, version: 1 });
    expect(await cellsOf(id)).not.toEqual([]);
  });

  it('renews an expired alert when it is switched on, before and after the expiry job has seen it', async () => {
    for (const swept of [true, false]) {
      const { id } = await create();
      await expireNow(id);
      if (swept) await expireAlerts(db.pool);
      await update(id, { isActive: true });
      const alert = await stored(id);
      expect(alert.isActive).toBe(true);
      expect(Math.abs(alert.expiresAt.getTime() - Date.now() - 42 * 86_400_000)).toBeLessThan(10_000);
      expect((await cellsOf(id))[0].expires_at).toEqual(alert.expiresAt);
    }
  });

  it('does not reactivate an expired alert by an edit', async () => {
    const { id } = await create();
    await expireNow(id);
    await update(id, { priceMax: 1000 });
    expect(await cellsOf(id)).toEqual([]);
  });

  it('refuses to switch text messages on on Free, but keeps those from a former plan', async () => {
    const { id } = await create({ textNotifications: true });
    await onFree();
    await update(id, { priceMax: 1000 });
    await update(id, { textNotifications: false });
    await expect(update(id, { textNotifications: true })).rejects.toMatchObject({ code: 'PLAN_REQUIRED' });
  });

  it('refuses to switch text messages on when they are not set up, and keeps those that are on', async () => {
    const without = (id: number, patch: AlertPatch) =>
      updateAlert(em(), { ...deps, hasTexts: false }, viewer, id, patch);
    const { id } = await create({ textNotifications: true });
    expect(await without(id, { priceMax: 1000, textNotifications: true })).toMatchObject({ textNotifications: true });
    await without(id, { textNotifications: false });
    await expect(without(id, { textNotifications: true })).rejects.toMatchObject({ code: 'NOT_CONFIGURED' });
    await onFree();
    await expect(without(id, { textNotifications: true })).rejects.toMatchObject({ code: 'PLAN_REQUIRED' });
  });
});

describe('renewAlert', () => {
  it('extends the alert, resets the reminder, and updates the cells', async () => {
    const { id } = await create();
    await clearPending();
    await db.pool.query("update alerts set expires_at = now() + interval '2 days', reminded_at = now()");
    const alert = await renewAlert(em(), viewer, id);
    expect(Math.abs(alert.expiresAt.getTime() - Date.now() - 42 * 86_400_000)).toBeLessThan(10_000);
    expect(await stored(id)).toMatchObject({ remindedAt: null, pendingMatch: false });
    expect((await cellsOf(id))[0].expires_at).toEqual(alert.expiresAt);
  });

  it('searches again where it may have been seen as expired before the renewal commits', async () => {
    const { id } = await create();
    await clearPending();
    await db.pool.query("update alerts set expires_at = now() + interval '20 seconds'");
    await renewAlert(em(), viewer, id);
    expect(await stored(id)).toMatchObject({ isActive: true, pendingMatch: true });
    await clearPending();
    await update(id, { isActive: false });
    await db.pool.query("update alerts set expires_at = now() + interval '20 seconds'");
    await renewAlert(em(), viewer, id);
    expect(await stored(id)).toMatchObject({ isActive: false, pendingMatch: false });
  });

  it('reactivates an expired alert within the limit, and leaves one that was switched off', async () => {
    await onFree();
    const { id } = await create();
    await expireNow(id);
    expect(await expireAlerts(db.pool)).toEqual([{ id, userId: viewer.id }]);
    expect(await expireAlerts(db.pool)).toEqual([]);
    expect(await stored(id)).toMatchObject({ isActive: false });
    expect(await cellsOf(id)).toEqual([]);
    const second = await create();
    await expect(renewAlert(em(), viewer, id)).rejects.toMatchObject({ code: 'PLAN_LIMIT' });
    await update(second.id, { isActive: false });
    await renewAlert(em(), viewer, id);
    expect(await stored(id)).toMatchObject({ isActive: true, pendingMatch: true });
    expect(await cellsOf(id)).not.toEqual([]);
    await renewAlert(em(), viewer, second.id);
    expect(await stored(second.id)).toMatchObject({ isActive: false });
    expect(await cellsOf(second.id)).toEqual([]);
  });
});

it('deletes an alert with all its rows but whose it was', async () => {
  const { id } = await create();
  await db.pool.query('insert into alert_throttles values ($1, now(), $2)', [id, viewer.id]);
  await shareAlert(db.pool, { userId: viewer.id, alertId: id });
  await db.pool.query(
    `insert into matches (listing_id, alert_id, user_id, alert_version, distance_miles, announced)
     values (1, $1, $2, 1, 0, true)`,
    [id, viewer.id],
  );
  await db.pool.query(`insert into notifications (user_id, alert_id, listing_id, due_at) values ($1, $2, 1, now())`, [
    viewer.id,
    id,
  ]);
  await deleteAlert(em(), viewer, id);
  for (const table of ['alerts', 'alert_cells', 'alert_throttles', 'matches', 'notifications', 'shared_links'])
    expect([table, await db.rows(`select 1 from ${table}`)]).toEqual([table, []]);
  expect(await db.rows('select user_id as id from former_alerts where alert_id = $1', [id])).toEqual([viewer]);
});

it('finds no alert of another user', async () => {
  const { id } = await create();
  const missing = { code: 'NOT_FOUND' };
  await expect(updateAlert(em(), deps, other, id, { isActive: false })).rejects.toMatchObject(missing);
  await expect(renewAlert(em(), other, id)).rejects.toMatchObject(missing);
  await expect(deleteAlert(em(), other, id)).rejects.toMatchObject(missing);
  await expect(deleteAlert(em(), viewer, id + 1000)).rejects.toMatchObject(missing);
  expect((await stored(id)).isActive).toBe(true);
});
