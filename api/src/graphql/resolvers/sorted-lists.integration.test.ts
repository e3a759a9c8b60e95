import { beforeEach, describe, expect, it } from 'vitest';
import type { Browser } from '../../../test/browser.ts';
import { onCluster } from '../../../test/database.ts';
import { insertMatches, storeCars, untilMatchesVisible } from '../../../test/factories.ts';
import { lockTable } from '../../../test/lock-table.ts';
import { setUpApi } from '../../../test/make-app.ts';
import { rowsRead } from '../../../test/statements/rows-read.ts';
import { readSortedMatches } from '../../listings/sorted-matches.ts';

let ana: Browser;
let anaId: number;
let alertId: number;

const api = setUpApi({}, async () => {
  ({ browser: ana, id: anaId } = await api.user('ana'));
  alertId = await ana.createAlert();
});

const query = `query ($alertId: ID, $first: Int, $after: String, $sort: ListSort, $only: [ListFilter!]) {
  page: matches(alertId: $alertId, first: $first, after: $after, sort: $sort, only: $only) {
    nodes { listing { id } } endCursor liveCursor hasMore total } }`;
const savedQuery = `query ($first: Int, $after: ID, $sort: ListSort, $only: [ListFilter!]) {
  page: savedListings(first: $first, after: $after, sort: $sort, only: $only) {
    nodes { listing { id } } endCursor hasMore total } }`;

interface Page {
  nodes: { listing: { id: string } }[];
  endCursor: string | null;
  hasMore: boolean;
  total: number | null;
}

const lists = [
  ['matches', query],
  ['saved cars', savedQuery],
] as const;

const read = async (text: string, variables: Record<string, unknown>): Promise<Page> =>
  (await ana.gql(text, text === query ? { alertId: String(alertId), ...variables } : variables)).data.page;
const idsOf = ({ nodes }: Page) => nodes.map(({ listing }) => Number(listing.id));

/** All pages; `between` runs after each. */
async function readAll(text: string, variables: Record<string, unknown>, between = async () => {}): Promise<number[]> {
  const ids: number[] = [];
  let after: string | null = null;
  for (;;) {
    const page: Page = await read(text, { first: 2, ...variables, after });
    ids.push(...idsOf(page));
    if (!page.hasMore) return ids;
    after = page.endCursor;
    await between();
  }
}

const save = (listingIds: readonly number[]) =>
  api.db.pool.query('insert into saved_listings (user_id, listing_id) select $1, unnest($2::int8[])', [
    anaId,
    listingIds,
  ]);

/** Stores cars that match the alert, at these distances, and saves them all in the same order. */
async function withCars(cars: (Parameters<typeof storeCars>[1][number] & { distance?: number })[]): Promise<number[]> {
  const ids = await storeCars(
    api.db.pool,
    cars.map(({ distance: _, ...facts }) => facts),
  );
  for (const [at, id] of ids.entries()) {
    await insertMatches(api.db.pool, alertId, [id], { distance: cars[at]?.distance ?? 10 });
  }
  await save(ids);
  return ids;
}

beforeEach(() =>
  api.db.pool.query(
    'truncate listings, listings_to_match, matches, price_changes, saved_listings, listing_views restart identity',
  ),
);

describe.each(lists)('a sorted list of %s', (_name, text) => {
  it('is in this order over its pages, with what is not stated last, and equal ones newest first', async () => {
    const [a = 0, b = 0, c = 0, d = 0, e = 0] = await withCars([
      { price: 9_000, mileageMiles: 50_000, distance: 12.5 },
      { price: null, mileageMiles: 10_000, distance: 3.14 },
      { price: 7_000, mileageMiles: null, distance: 40 },
      { price: 9_000, mileageMiles: 50_000, distance: 3.15 },
      { price: 8_000, mileageMiles: null, distance: 0 },
    ]);
    expect(await readAll(text, { sort: 'newest' })).toEqual([e, d, c, b, a]);
    expect(await readAll(text, { sort: 'price' })).toEqual([c, e, d, a, b]);
    expect(await readAll(text, { sort: 'mileage' })).toEqual([b, d, a, e, c]);
    expect(await readAll(text, { sort: 'nearest' })).toEqual([e, b, d, a, c]);
    expect(await read(text, { sort: 'price', first: 2 })).toMatchObject({ total: 5, hasMore: true });
  });

  it('shows each car once while others arrive between its pages', async () => {
    const ids = await withCars([
      { price: 1_000 },
      { price: 2_000 },
      { price: 3_000 },
      { price: 4_000 },
      { price: 5_000 },
    ]);
    let price = 500;
    const seen = await readAll(text, { sort: 'price' }, async () => {
      await withCars([{ price }, { price: price + 3_000 }]);
      price += 10;
    });
    expect(new Set(seen).size).toBe(seen.length);
    expect(seen).toEqual(expect.arrayContaining(ids));
    expect(seen.filter((id) => ids.includes(id))).toEqual(ids);
  });

  it('is empty without cars, and refuses what is no cursor of this sort', async () => {
    expect(await read(text, { sort: 'price' })).toMatchObject({ nodes: [], endCursor: null, hasMore: false, total: 0 });
    await withCars([{}, {}, {}]);
    const { endCursor } = await read(text, { sort: 'price', first: 1 });
    const wrong = [
      'x',
      "1' or true",
      endCursor,
      Buffer.from('mileage:1e9:1:1').toString('base64url'),
      'A'.repeat(10_000),
    ];
    for (const after of wrong) {
      const alert = text === query ? { alertId: String(alertId) } : {};
      const { errors } = await ana.gql(text, { ...alert, sort: 'mileage', after });
      expect(errors[0]?.extensions, `${after}`).toMatchObject({
        code: 'VALIDATION',
        fields: { after: 'This cursor is invalid.' },
      });
    }
  });
});

describe.each(lists)('a filtered list of %s', (_name, text) => {
  it('has only cars to which all filters apply', async () => {
    const [a = 0, b = 0, c = 0, d = 0] = await withCars([
      { price: 9_000 },
      { price: 9_500 },
      { price: 12_000 },
      { price: 8_000 },
    ]);
    const { pool } = api.db;
    await pool.query('update listings set band_low = 9000, band_middle = 10000, band_high = 11000');
    await pool.query(
      "insert into price_changes (listing_id, price, seen_at) values ($1, 10000, now() - interval '2 days'), ($1, 9000, now()), ($2, 9000, now() - interval '1 day'), ($2, 9500, now())",
      [a, b],
    );
    await pool.query('insert into listing_views (user_id, listing_id) values ($1, $2)', [anaId, d]);
    await pool.query("update matches set matched_at = now() - interval '25 hours' where listing_id = $1", [b]);
    expect(await readAll(text, { only: ['price_drop'] })).toEqual([a]);
    // Below the root of 9,000 × 10,000.
    expect(await readAll(text, { only: ['below_fair_price'] })).toEqual([d, a]);
    expect(await readAll(text, { only: ['new'] })).toEqual([c, a]);
    expect(await readAll(text, { only: ['new', 'below_fair_price', 'new'], sort: 'price' })).toEqual([a]);
    expect(await readAll(text, { only: [] })).toEqual([d, c, b, a]);
    await pool.query('update saved_listings set removed_at = now() where listing_id <> $1', [b]);
    expect(await readAll(text, { only: ['saved'] })).toEqual([b]);
    expect(await read(text, { only: ['saved', 'new'] })).toMatchObject({ total: 0, nodes: [] });
  });

  it('knows a price drop across the listings of a car at one source', async () => {
    const [old = 0, relist = 0, other = 0] = await withCars([{ price: 9_000 }, { price: 8_000 }, { price: 7_000 }]);
    await api.db.pool.query(
      `with times as (select id as of, now() - id % 10 * interval '-1 minute' as at from listings)
       update listings set car_id = $1, seen_at = t.at from times t where id = t.of`,
      [old],
    );
    await api.db.pool.query("update listings set source = 'elsewhere' where id = $1", [other]);
    expect(await readAll(text, { only: ['price_drop'] })).toEqual([relist]);
  });
});

it('has the same rows as the listings say of themselves', async () => {
  await withCars(Array.from({ length: 30 }, (_, at) => ({ price: 5_000 + ((at * 7_919) % 3_000) })));
  const { pool } = api.db;
  await pool.query('update listings set band_low = 5500, band_middle = 6500, band_high = 7500 where id % 3 > 0');
  await pool.query(
    "insert into price_changes (listing_id, price, seen_at) select id, price + (id % 5 - 2) * 100, now() - interval '1 day' from listings where id % 2 = 0",
  );
  await pool.query('insert into price_changes (listing_id, price) select id, price from listings where id % 2 = 0');
  await pool.query('insert into listing_views (user_id, listing_id) select $1, id from listings where id % 4 = 0', [
    anaId,
  ]);
  const { data } = await ana.gql(
    '{ matches(first: 100) { nodes { listing { id price isNew priceBand { rating } priceHistory { price } } } } }',
  );
  interface Shown {
    id: string;
    price: number;
    isNew: boolean;
    priceBand: { rating: string } | null;
    priceHistory: { price: number }[];
  }
  const shown: Shown[] = data.matches.nodes.map(({ listing }: { listing: Shown }) => listing);
  const idsWhere = (fits: (one: Shown) => boolean) => shown.filter(fits).map(({ id }) => Number(id));
  const isGood = (one: Shown) => ['great', 'good'].includes(one.priceBand?.rating ?? '');
  const isCheaper = (one: Shown) =>
    (one.priceHistory.findLast(({ price }) => price !== one.price)?.price ?? 0) > one.price;
  expect(await readAll(query, { only: ['below_fair_price'] })).toEqual(idsWhere(isGood));
  expect(await readAll(query, { only: ['price_drop'] })).toEqual(idsWhere(isCheaper));
  expect(await readAll(query, { only: ['new'] })).toEqual(idsWhere(({ isNew }) => isNew));
  for (const some of [isGood, isCheaper]) expect([0, 30]).not.toContain(idsWhere(some).length);
});

it('continues live where a sorted page was read, and counts no matches of others', async () => {
  await withCars([{ price: 1_000 }]);
  const { browser: ben } = await api.user('ben');
  await insertMatches(api.db.pool, await ben.createAlert(), await storeCars(api.db.pool, [{ price: 1 }]));
  await untilMatchesVisible(api.db.pool);
  const { data } = await ana.gql(query, { alertId: String(alertId), sort: 'price' });
  expect(data.page).toMatchObject({ total: 1, liveCursor: expect.any(String) });
  expect((await ana.gql(query, { sort: 'price', after: null, alertId: '999999' })).errors[0]?.extensions).toMatchObject(
    {
      code: 'NOT_FOUND',
    },
  );
  expect((await ana.gql(query, { alertId: String(alertId) })).data.page.total).toBeNull();
});

it('matches of all alerts are neither sorted nor filtered, which would read them all', async () => {
  await withCars([{}]);
  for (const choice of [{ sort: 'price' }, { only: ['new'] }]) {
    expect((await ana.gql(query, choice)).errors[0]?.extensions).toMatchObject({
      code: 'VALIDATION',
      fields: { alertId: expect.stringContaining('one alert') },
    });
  }
  expect((await ana.gql(query, { sort: 'newest', only: [] })).data.page.nodes).toHaveLength(1);
});

// A shard has the plan of one server, which "explain" does not show through the coordinator.
it.skipIf(onCluster)('what is new is found without asking every alert of the buyer about every match', async () => {
  const [alerts, listings, recent] = [60, 1_000, 7];
  const { pool } = api.db;
  const { browser: eve, id: userId } = await api.user('eve');
  const ids = [await eve.createAlert()];
  const copied = await pool.query<{ id: number }>(
    `insert into alerts (user_id, make, location, place, lat, lng, radius)
     select user_id, make, location, place, lat, lng, radius from alerts, generate_series(2, $2) where id = $1 returning id`,
    [ids[0], alerts],
  );
  ids.push(...copied.rows.map(({ id }) => id));
  await pool.query(
    `insert into listings (source, external_id, title, make, facts_hash) select 'many', n::text, '', 'toyota', '' from generate_series(1, $1::int4) n`,
    [listings],
  );
  // Old to the alert that is read, and those seen last new to another one.
  await pool.query(
    `insert into matches (listing_id, alert_id, user_id, alert_version, distance_miles, announced, matched_at)
     select l.id, a.id, a.user_id, a.version, 1, false, now() - case when a.id = $1 or l.id <= $4 then interval '2 days' else interval '1 hour' end
       from listings l join alerts a on a.id = $1 or a.id = $2 or l.id % 100 = a.id % 100 and a.id = any($3::int8[])`,
    [ids[0], ids[1], ids, listings - recent],
  );
  await untilMatchesVisible(pool);
  await pool.query('analyze matches');
  const wanted = { userId, alertId: Number(ids[0]), first: 20 };
  let total = 0;
  const read = await rowsRead(api.db, /listing_views/, async (one) => {
    ({ total } = await readSortedMatches(one, wanted, { sort: 'newest', only: ['new'] }));
  });
  expect(total).toBe(recent);
  expect(read).toHaveLength(1);
  expect(read.filter(({ rows }) => rows > 5 * listings)).toEqual([]);
});

it.each(lists)('a sorted list of %s ends on the server when its caller leaves', async (_name, text) => {
  await withCars([{}]);
  const unlock = await lockTable(api.db, 'listings');
  try {
    const leaving = new AbortController();
    const left = ana.fetch('/graphql', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ query: text, variables: { alertId: String(alertId), sort: 'price' } }),
      signal: leaving.signal,
    });
    await expect.poll(() => api.db.lockWaits()).toBe(1);
    leaving.abort();
    await expect(left).rejects.toThrow();
    await expect.poll(() => api.db.lockWaits()).toBe(0);
  } finally {
    await unlock();
  }
});
