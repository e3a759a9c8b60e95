import { beforeAll, describe, expect, it } from 'vitest';
import { gazetteer } from '../../lab/gazetteer.ts';
import { makeDraws, makeRandom } from '../../lab/random.ts';
import type { Browser } from '../../test/browser.ts';
import { setUpApi } from '../../test/make-app.ts';
import { makeFilters } from '../../test/matching/filter-world.ts';
import { insertAlerts, insertListings, type TestAlert, type TestListing } from '../../test/matching/match-rows.ts';
import { BACKFILL_DAYS } from '../matching/alert-search-sql.ts';
import { matchPendingAlerts } from '../matching/match-alerts.ts';
import { matchPendingListings } from '../matching/match-listings.ts';
import { type AlertPreview, MAX_NEAR_MISSES, previewAlert, wideningSteps } from './preview-alert.ts';

const draw = makeDraws(makeRandom(11));
const filters = makeFilters(makeRandom(12));
const LISTINGS = 1_200;
const ALERTS = 150;
const vehicles: Readonly<Record<string, readonly string[]>> = {
  toyota: ['camry', 'corolla'],
  honda: ['civic', 'accord'],
};
const makes = Object.keys(vehicles);
const colors = ['red', 'blue', null] as const;
const CENTER = { lat: 34.0522, lng: -118.2437 };

let browser: Browser;
let userId: number;
const api = setUpApi({}, async () => {
  ({ browser, id: userId } = await api.user('ana'));
});

type Input = Record<string, string | string[] | number | boolean | null>;

function drawInput(): Input {
  const make = draw.random() < 0.7 ? 'toyota' : draw.pick(makes);
  const priceMin = draw.maybe(0.4, () => draw.whole(2, 12) * 1_000);
  const yearMin = draw.maybe(0.5, () => draw.whole(2008, 2018));
  return {
    make,
    model: draw.maybe(0.5, () => draw.pick(vehicles[make] ?? [])),
    location: 'Los Angeles, CA',
    radius: draw.pick([5, 10, 25, 50, 100]),
    priceMin,
    priceMax: draw.maybe(0.6, () => (priceMin ?? 0) + draw.whole(3, 20) * 1_000),
    yearMin,
    yearMax: draw.maybe(0.4, () => (yearMin ?? 2008) + draw.whole(1, 6)),
    color: draw.pick(colors),
    onlyWithImages: draw.random() < 0.5,
    ...(draw.random() < 0.6 ? { ...filters.asked(make, vehicles), ...filters.asked(make, vehicles) } : {}),
  } as Input;
}

/** A car that one of the alerts may miss by little. */
function drawListing(inputs: readonly Input[]): TestListing {
  const target = draw.pick(inputs) as unknown as TestAlert;
  const make = draw.random() < 0.9 ? target.make : draw.pick(makes);
  return {
    make,
    model: draw.maybe(0.9, () => draw.pick(vehicles[make] ?? [])),
    year: draw.maybe(0.95, () => draw.whole(2008, 2024)),
    price: draw.maybe(0.9, () => draw.whole(2, 40) * 1_000),
    color: draw.pick(colors),
    imageUrl: draw.maybe(0.9, () => 'https://photos.example/1.jpg'),
    lat: CENTER.lat + (draw.random() - 0.5) * 3,
    lng: CENTER.lng + (draw.random() - 0.5) * 3,
    ...filters.stated(target),
  };
}

beforeAll(async () => {
  const { pool } = api.db;
  const targets = Array.from({ length: ALERTS }, drawInput);
  await insertListings(
    pool,
    Array.from({ length: LISTINGS }, () => drawListing(targets)),
  );
  while ((await matchPendingListings(pool)) > 0);
  // Some are no longer for sale, and some were seen before the days that are counted.
  await pool.query(
    `with seen as materialized (
       select id as of, now() - make_interval(hours => (id * 7919 % (45 * 24))::int4, mins => 30) as at from listings
     )
     update listings set seen_at = s.at, status = case when id % 7 = 0 then 'sold' when id % 11 = 0 then 'pending' else status end
       from seen s where id = s.of`,
  );
});

const unfiltered = {
  ...{ transmission: null, fuel: null, drive: null, body: null, titleStatus: null, seller: null },
  ...{ excludeWords: null, requireWords: null, belowFairPrice: null },
};

const isOfOneMake = (models: unknown) => Array.isArray(models) && models.every((name) => !name.includes('/'));

/** Every step that there is for an input, as a change of it. */
function stepsFor(input: Input): { field: string; change: Input }[] {
  const bounds = Object.entries(wideningSteps(input as unknown as Parameters<typeof wideningSteps>[0]));
  return [
    ...bounds.flatMap(([field, to]) => (to === null ? [] : [{ field, change: { [field]: to } }])),
    ...(input.model && !input.models ? [{ field: 'model', change: { model: null } }] : []),
    ...(isOfOneMake(input.models) && !input.model ? [{ field: 'models', change: { models: null } }] : []),
    { field: 'color', change: { color: null } },
    { field: 'onlyWithImages', change: { onlyWithImages: false } },
    { field: 'noPrice', change: { priceStated: false } },
    { field: 'filters', change: unfiltered },
  ];
}

const preview = (input: Input): Promise<AlertPreview> =>
  previewAlert({ db: api.db.pool, gazetteer, now: new Date() }, input);

/** By so many days more than the backfill, the preview goes back. */
const MORE_DAYS = 30 - BACKFILL_DAYS;

/** What the backfill finds for saved alerts with these inputs, over the days of the preview. */
async function backfilled(inputs: readonly Input[]): Promise<number[]> {
  const { pool } = api.db;
  const place = gazetteer.resolve('Los Angeles, CA');
  if (!place) throw new Error('no place');
  const alerts = inputs.map(({ location: _, ...rest }) => ({ ...rest, lat: place.lat, lng: place.lng }) as TestAlert);
  const ids = await insertAlerts(pool, userId, alerts);
  await pool.query('update alerts set pending_match = true where id = any($1)', [ids]);
  const shift = (days: number) =>
    pool.query(
      `with seen as materialized (select id as of, seen_at + $1 * interval '1 day' as at from listings)
       update listings set seen_at = s.at from seen s where id = s.of`,
      [days],
    );
  await shift(MORE_DAYS);
  while ((await matchPendingAlerts(pool)) > 0);
  await shift(-MORE_DAYS);
  const { rows } = await pool.query<{ id: number; count: number }>(
    `select a.id, (select count(*)::int4 from matches m
                     where m.user_id = a.user_id and m.alert_id = a.id and m.alert_version = a.version) as count
       from alerts a where a.user_id = $2 and a.id = any($1)`,
    [ids, userId],
  );
  const counts = new Map(rows.map(({ id, count }) => [id, count]));
  return ids.map((id) => counts.get(id) ?? -1);
}

describe('the preview', () => {
  const compareWithBackfill = async (alerts: number): Promise<void> => {
    const open = { make: 'toyota', model: null, location: 'Los Angeles, CA', radius: 100, onlyWithImages: false };
    const inputs: Input[] = [
      ...Array.from({ length: alerts }, drawInput),
      { ...open, priceMin: 20_000, priceMax: 45_000, yearMin: null, yearMax: null, color: null },
      { ...open, priceMin: null, priceMax: null, yearMin: null, yearMax: 2016, color: null, onlyWithImages: true },
      { ...open, priceMin: 12_000, priceMax: 20_000, excludeWords: ['parts'], requireWords: ['clean'] },
      { ...open, priceMin: 4_000, belowFairPrice: true, drive: 'fwd', body: 'suv', seller: 'private' },
      { ...open, models: ['corolla', 'honda/civic'], yearMin: 2012 },
      { ...open, models: ['corolla'], transmission: 'manual' },
    ];
    const previews = await Promise.all(inputs.map(preview));
    expect(previews.map(({ matchCount }) => matchCount)).toEqual(await backfilled(inputs));
    expect(Math.max(...previews.map(({ matchCount }) => matchCount))).toBeGreaterThan(50);
    const steps = inputs.flatMap((input, at) => stepsFor(input).map((step) => ({ at, ...step })));
    const found = await backfilled(steps.map(({ at, change }) => ({ ...inputs[at], ...change })));
    const wrong = steps.flatMap(({ at, field, change }, stepAt) => {
      const { matchCount = 0, nearMisses = [] } = previews[at] ?? {};
      const more = (found[stepAt] ?? -1) - matchCount;
      const named = nearMisses.find((miss) => miss.field === field)?.more;
      // Of the steps that would bring more, the best are named.
      const least = nearMisses.length < MAX_NEAR_MISSES ? 0 : (nearMisses.at(-1)?.more ?? 0);
      const isRight = named === undefined ? more >= 0 && more <= least : more === named;
      return isRight ? [] : [{ input: inputs[at], change, more, named, least }];
    });
    expect(wrong).toEqual([]);
    const fields = previews.flatMap(({ nearMisses }) => nearMisses.map(({ field }) => field));
    expect(fields.filter((field) => !steps.some((step) => step.field === field))).toEqual([]);
    expect(new Set(fields)).toEqual(
      new Set([
        ...['priceMax', 'priceMin', 'yearMin', 'yearMax', 'radius', 'model', 'models', 'color', 'onlyWithImages'],
        ...['noPrice', 'mileageMax', 'filters'],
      ]),
    );
  };

  it('counts what the backfill of a saved alert finds, and what it would find after each step', () =>
    compareWithBackfill(ALERTS));

  it('counts what the backfill finds for 1,000 alerts', { tags: ['long'] }, () => compareWithBackfill(1_000));

  it('counts listings without a price only where a price is asked', async () => {
    const any = { make: 'toyota', location: 'Los Angeles, CA', radius: 100, onlyWithImages: false, priceMin: null };
    const of = ({ nearMisses }: AlertPreview) => nearMisses.find(({ field }) => field === 'noPrice')?.more ?? 0;
    const [open, bounded] = [await preview({ ...any, priceMax: null }), await preview({ ...any, priceMax: 50_000 })];
    expect([of(open), of(bounded)]).toEqual([0, open.matchCount - bounded.matchCount]);
  });

  it('counts what a week brings over the days for which there are listings', async () => {
    const input = { make: 'toyota', location: 'Los Angeles, CA', radius: 100, onlyWithImages: false };
    await api.db.pool.query('update listings set seen_at = now() where id = (select min(id) from listings)');
    const after = async (days: number) => {
      const now = new Date(Date.now() + days * 24 * 60 * 60 * 1000);
      const { perWeek, ...preview } = await previewAlert({ db: api.db.pool, gazetteer, now }, input);
      return { days: preview.days, weeks: Math.round((preview.matchCount / perWeek) * 10) / 10 };
    };
    expect(await after(0)).toEqual({ days: 1, weeks: 1 });
    expect(await after(5.5)).toEqual({ days: 6, weeks: 1 });
    expect(await after(13.5)).toEqual({ days: 14, weeks: 2 });
    expect(await after(70)).toEqual({ days: 30, weeks: 4.3 });
  });

  it('names three cars to a signed-in user, refuses what can’t be saved, and creates nothing', async () => {
    const query = `query ($input: AlertInput!) { previewAlert(input: $input) {
      matchCount perWeek days place samples { title } sampleDistances nearMisses { field from to more } } }`;
    const ask = async (input: object) => browser.gql(query, { input });
    const input = { make: 'toyota', model: 'camry', location: 'Los Angeles, CA', radius: 50, priceMax: 20_000 };
    const { samples, nearMisses, ...preview } = (await ask(input)).data.previewAlert;
    expect(samples).toHaveLength(3);
    expect(preview.place).toBe('Los Angeles, CA');
    expect(preview.sampleDistances).toHaveLength(3);
    expect(Math.max(...preview.sampleDistances)).toBeLessThan(50);
    expect(nearMisses.length).toBeGreaterThan(0);
    const { errors } = await ask({ ...input, location: 'Nowhere at all' });
    expect(errors[0]?.extensions).toMatchObject({ code: 'VALIDATION', fields: { location: expect.any(String) } });
    const stranger = await api.user('ben');
    await stranger.browser.gql(query, { input });
    expect((await stranger.browser.gql('{ alerts { id } }')).data.alerts).toEqual([]);
  });
});
