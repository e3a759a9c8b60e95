import { afterEach, describe, expect, it } from 'vitest';
import { onCluster, setUpDatabase } from '../../test/database.ts';
import { insertUsers } from '../../test/matching/match-rows.ts';
import { databaseFault } from '../base/database-fault.ts';
import type { Gazetteer, Place } from '../domain/places/places.ts';
import { Alert } from '../entities/alert.ts';
import type { AlertInput } from './alert-input.ts';
import { createAlert } from './create-alert.ts';
import { canCreateAlert } from './plan-usage.ts';
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
let stranger: { id: number };

const db = setUpDatabase(async () => {
  const [first = 0, second = 0] = await insertUsers(db.pool, 2);
  viewer = { id: first };
  stranger = { id: second };
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
const expireNow = (id: number) =>
  db.pool.query("update alerts set expires_at = now() - interval '1 minute' where id = $1", [id]);

async function cellsOf(id: number) {
  return db.rows('select * from alert_cells where alert_id = $1', [id]);
}

/** Writes cells as the version before filters does for an alert that it edits. */
const writeOldCells = (id: number) =>
  db.pool.query(
    `insert into alert_cells (key, price_max, alert_id, alert_version, user_id, price_min, year_min, year_max, color,
                              only_images, x, y, z, cos_radius, expires_at, announces, texts)
     select key, price_max, alert_id, alert_version + 1, user_id, price_min, year_min, year_max, color, only_images, x, y, z,
            cos_radius, expires_at, announces, texts from alert_cells where alert_id = $1`,
    [id],
  );

// Triggers refuse them, which tables of a cluster don't have: no version before wrote to one.
describe.skipIf(onCluster)('cells of an api that knows no filters', () => {
  it.each([
    { models: ['camry', 'corolla'] },
    { mileageMax: 60_000 },
    { titleStatus: 'clean' },
    { excludeWords: ['salvage'] },
    { priceStated: true },
    { belowFairPrice: true },
  ])('are refused as if the database were busy, where the alert has %o', async (filters) => {
    const { id } = await create(filters as AlertInput);
    const before = await cellsOf(id);
    const refused = await writeOldCells(id).catch((error: unknown) => databaseFault(error));
    expect(refused).toMatchObject({ code: 'UNAVAILABLE' });
    expect(await cellsOf(id)).toEqual(before);
  });

  it('are whole where the alert has none', async () => {
    const { id } = await create();
    await writeOldCells(id);
    expect(new Set((await cellsOf(id)).map(({ asked }) => asked))).toEqual(new Set([0]));
  });
});

describe('createAlert', () => {
  it('stores what has no bit beside the cells, unless the index has no room for it', async () => {
    const { id } = await create({ excludeWords: ['As-Is', 'parts'], priceStated: false, priceMax: 9_000 });
    expect((await cellsOf(id))[0]).toMatchObject({
      conditions: '% as is %|% parts %&&&9000',
      price_max: 2_147_483_647,
    });
    const longest = (first: string) => Array.from({ length: 10 }, (_, at) => first + '漢'.repeat(38) + at);
    const { id: full } = await create({ excludeWords: longest('a'), requireWords: longest('b') });
    expect((await cellsOf(full))[0]).toMatchObject({ conditions: '', asked: 2 ** 30 });
    const { id: large } = await create({ excludeWords: longest('a') });
    expect((await cellsOf(large))[0].conditions).toHaveLength(10 * 44 + 9 + 3);
  });

  it('stores the fields, the place, the end in six weeks, and the cells of this version', async () => {
    const { id } = await create({ color: 'any', priceMax: 50_000, model: '' });
    const alert = await stored(id);
    expect(alert).toMatchObject({
      make: 'toyota',
      model: null,
      location: 'Los Angeles',
      place: 'Los Angeles, CA',
      radius: 50,
      priceMin: null,
      priceMax: 50_000,
      color: null,
      onlyWithImages: true,
      emailNotifications: true,
      textNotifications: false,
      isActive: true,
      version: 1,
      pendingMatch: true,
    });
    expect(alert.expiresAt.getTime() - alert.createdAt.getTime()).toBe(42 * 86_400_000);
    const cells = await cellsOf(id);
    expect(cells.length).toBeGreaterThan(3);
    expect(cells[0]).toMatchObject({ alert_version: 1, price_max: 50_000, price_min: 0, year_max: 32_767, color: 0 });
    expect(cells[0].expires_at).toEqual(alert.expiresAt);
  });

  it('returns the alert with its times', async () => {
    const alert = await create();
    expect(alert.createdAt).toBeInstanceOf(Date);
    expect(alert.expiresAt).toBeInstanceOf(Date);
  });

  const crossed = 'The minimum is above the maximum.';
  const refusals: [string, AlertInput, Record<string, string>][] = [
    ['no make', { make: '' }, { make: 'Car make is required' }],
    ['no location', { location: '  ' }, { location: 'Location is required' }],
    ['no radius', { radius: null }, { radius: 'Distance radius is required' }],
    ['another radius', { radius: 51 }, { radius: 'Please choose 5, 10, 25, 50 or 100 miles' }],
    ['an unknown make', { make: 'trabant', model: null }, { make: 'Please choose a make from the list' }],
    ['a model of another make', { model: 'civic' }, { model: 'Please choose a model of this make' }],
    ['an unknown color', { color: 'teal' }, { color: 'Please choose a color from the list' }],
    ['crossed years', { yearMin: 2020, yearMax: 2019 }, { yearMin: crossed, yearMax: crossed }],
    ['crossed prices', { priceMin: 2, priceMax: 1 }, { priceMin: crossed, priceMax: crossed }],
    [
      'an unknown place',
      { location: 'Nowhere' },
      { location: "We couldn't find that place. Try a city and state, or a ZIP code." },
    ],
    ['a long location', { location: 'x'.repeat(101) }, { location: 'Location can have at most 100 characters' }],
    ['half a dollar', { priceMax: 1.5 }, { priceMax: 'Please enter whole dollars from 0 to 10,000,000' }],
    ['a negative price', { priceMin: -1 }, { priceMin: 'Please enter whole dollars from 0 to 10,000,000' }],
    ['text as a price', { priceMin: '5' }, { priceMin: 'Please enter whole dollars from 0 to 10,000,000' }],
    [
      'the year after next',
      { yearMax: now.getUTCFullYear() + 2 },
      { yearMax: `Please enter a year from 1900 to ${now.getUTCFullYear() + 1}` },
    ],
  ];
  it.each(refusals)('refuses %s', async (_name, input, fields) => {
    await expect(create(input)).rejects.toMatchObject({ code: 'VALIDATION', fields });
    expect((await db.pool.query('select from alerts')).rowCount).toBe(0);
  });

  it('reports all invalid fields at once', async () => {
    const error = { code: 'VALIDATION', fields: expect.objectContaining({ make: expect.any(String) }) };
    await expect(create({ make: null, location: null, radius: null })).rejects.toMatchObject(error);
  });

  it('keeps 100 parallel creates within the limit of the plan', async () => {
    await db.pool.query('update plans set alert_limit = 7 where id = 4');
    try {
      const outcomes = await Promise.allSettled(Array.from({ length: 100 }, () => create()));
      expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(7);
      const refused = outcomes.find((outcome) => outcome.status === 'rejected');
      expect(refused?.reason).toMatchObject({
        code: 'PLAN_LIMIT',
        needsUpgrade: false,
        message:
          "You've reached the maximum number of alerts for your subscription plan. Please upgrade to create more alerts.",
      });
      expect((await db.pool.query('select from alerts')).rowCount).toBe(7);
    } finally {
      await db.pool.query('update plans set alert_limit = 100 where id = 4');
    }
  });

  it('creates an alert in the place of one that it switches off, or does neither', async () => {
    await onFree();
    const { id } = await create();
    const replace = (pausedId: number, input: AlertInput = {}, who = viewer) =>
      createAlert(em(), deps, who, { ...camry, ...input }, pausedId);
    await expect(replace(id, { textNotifications: true })).rejects.toMatchObject({ code: 'PLAN_REQUIRED' });
    await expect(replace(id, { location: 'nowhere' })).rejects.toMatchObject({ code: 'VALIDATION' });
    await expect(replace(id + 1000)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    await expect(replace(id, {}, stranger)).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect((await stored(id)).isActive).toBe(true);
    expect(await cellsOf(id)).not.toEqual([]);

    const made = await replace(id, { model: 'corolla' });
    expect([(await stored(id)).isActive, made.isActive]).toEqual([false, true]);
    expect(await cellsOf(id)).toEqual([]);
    expect(await cellsOf(made.id)).not.toEqual([]);
    // It frees no place, as it is off already.
    await expect(replace(id)).rejects.toMatchObject({ code: 'PLAN_LIMIT' });
    expect(await db.rows('select id from alerts where is_active')).toEqual([{ id: made.id }]);
  });

  it('keeps parallel creates that switch an alert off within the limit of the plan', async () => {
    await onFree();
    const { id } = await create();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, index) =>
        index % 2 ? createAlert(em(), deps, viewer, camry, id) : update(id, { isActive: true }),
      ),
    );
    const made = outcomes.filter(({ status }, index) => index % 2 && status === 'fulfilled');
    const { count } = await db.row('select count(*)::int as count from alerts where is_active');
    expect([made.length, count]).toEqual([1, 1]);
  });

  it('offers an upgrade on Free, and refuses text messages there', async () => {
    await onFree();
    await expect(create({ textNotifications: true })).rejects.toMatchObject({
      code: 'PLAN_REQUIRED',
      needsUpgrade: true,
      message:
        'SMS notifications are only available with paid subscription plans. Please upgrade to enable this feature.',
    });
    expect(await canCreateAlert(em(), viewer)).toEqual({
      canCreateAlert: true,
      needsUpgrade: false,
      alertsUsed: 0,
      alertLimit: 1,
      alertsToResume: 0,
    });
    const { id } = await create();
    await expect(create()).rejects.toMatchObject({ code: 'PLAN_LIMIT', needsUpgrade: true });
    expect(await canCreateAlert(em(), viewer)).toEqual({
      canCreateAlert: false,
      needsUpgrade: true,
      alertsUsed: 1,
      alertLimit: 1,
      alertsToResume: 0,
    });
    await expireNow(id);
    expect(await canCreateAlert(em(), viewer)).toMatchObject({ canCreateAlert: true, alertsUsed: 0 });
    await create();
  });

  it('keeps at most 200 alerts of a user', async () => {
    const { id } = await create();
    await update(id, { isActive: false });
    await db.pool.query(
      `insert into alerts (user_id, make, location, place, lat, lng, radius, is_active)
       select user_id, make, location, place, lat, lng, radius, false from alerts, generate_series(1, 199)`,
    );
    await expect(create()).rejects.toMatchObject({ code: 'CONFLICT' });
    expect(await canCreateAlert(em(), viewer)).toMatchObject({ canCreateAlert: false, needsUpgrade: false });
  });
});
