import { beforeEach, expect, it } from 'vitest';
import { makeRandom } from '../../../lab/random.ts';
import { type Browser } from '../../../test/browser.ts';
import { onCluster } from '../../../test/database.ts';
import { onServerOf } from '../../../test/everywhere.ts';
import { buildFacts, insertMatches, storePage } from '../../../test/factories.ts';
import { setUpApi } from '../../../test/make-app.ts';
import { locks } from '../../base/advisory-lock.ts';
import { inTransaction } from '../../base/database.ts';
import { ConcurrentWrite } from '../../base/retried-transaction.ts';
import { fitPrices, makePriceModelReader, updateBands } from '../../intake/price-models.ts';
import { storeListings } from '../../intake/store-listings.ts';
import { matchPendingListings } from '../../matching/match-listings.ts';

let ana: Browser;
let alertId: number;
const api = setUpApi({}, async () => {
  ({ browser: ana } = await api.user('ana'));
  alertId = await ana.createAlert();
});

beforeEach(async () => {
  await api.db.pool.query(
    'truncate listings, listings_to_match, sources, price_changes, matches, price_models restart identity',
  );
  await api.db.pool.query('insert into price_models default values');
});

const random = makeRandom(3);
const { signal } = new AbortController();
const now = new Date('2026-07-01T00:00:00Z');
const camrys = (count: number) =>
  Array.from({ length: count }, () => {
    const year = 2012 + Math.floor(random() * 12);
    const price = Math.round(30_000 * 0.87 ** (2026 - year) * (0.9 + random() * 0.2));
    return buildFacts({ year, title: `${year} Toyota Camry`, price });
  });

async function bandsOf(...ids: number[]) {
  return Promise.all(
    ids.map(async (id) => {
      const query = 'query ($id: ID!) { listing(id: $id) { priceBand { low middle high n rating reason } } }';
      return (await ana.gql(query, { id })).data.listing.priceBand;
    }),
  );
}

async function store(...facts: ReturnType<typeof buildFacts>[]): Promise<number[]> {
  const records = facts.map((one) => ({ facts: one }));
  const prices = makePriceModelReader(api.db.pool);
  const { results } = await storeListings(api.db.pool, 'lot', records, { announce: true, prices });
  return results.map(({ listingId }) => listingId ?? 0);
}

it('gives a listing the band of comparable cars when it is stored, with how its price compares', async () => {
  await storePage(api.db.pool, 'lot', camrys(150));
  expect(await fitPrices(api.db.pool, now, signal)).toBe(150);
  const expected = 30_000 * 0.87 ** 8;
  const car = (over: object) => buildFacts({ year: 2018, title: '2018 Toyota Camry', ...over });
  const ids = await store(
    car({ price: Math.round(expected) }),
    car({ price: Math.round(expected * 0.5) }),
    car({ price: null }),
    car({ price: Math.round(expected * 2) }),
    car({ model: 'prius', title: '2018 Toyota Prius' }),
  );
  await insertMatches(api.db.pool, alertId, ids);
  const [fair, great, unpriced, dear, prius] = await bandsOf(...ids);
  expect(fair.rating).toMatch(/good|fair|high/);
  expect(fair.low).toBeLessThan(fair.middle);
  expect(fair.middle).toBeLessThan(fair.high);
  expect(Math.abs(fair.middle / expected - 1)).toBeLessThan(0.1);
  expect(fair.n).toBeGreaterThan(20);
  expect(fair.reason).toBeNull();
  expect([great.rating, unpriced.rating, dear.rating]).toEqual(['great', null, 'overpriced']);
  expect(unpriced.middle).toBeGreaterThan(0);
  expect(prius).toEqual({ low: null, middle: null, high: null, n: 0, rating: null, reason: 'few_cars' });
});

it('has none before there are enough cars, and gives it to those for sale after the fit', async () => {
  const [id = 0] = await store(...camrys(60));
  await insertMatches(api.db.pool, alertId, [id]);
  expect(await bandsOf(id)).toEqual([null]);
  expect(await fitPrices(api.db.pool, now, signal)).toBeNull();
  await store(...camrys(60));
  expect(await fitPrices(api.db.pool, now, signal)).toBe(120);
  const stopping = new AbortController();
  stopping.abort();
  expect(await updateBands(api.db.pool, stopping.signal)).toBe(0);
  expect(await updateBands(api.db.pool, signal)).toBe(120);
  expect(await updateBands(api.db.pool, signal)).toBe(0);
  // A process that has not read the new model yet.
  await storePage(api.db.pool, 'lot', camrys(2));
  expect(await updateBands(api.db.pool, signal)).toBe(2);
  await api.db.pool.query("update price_models set fitted_at = now() - interval '3 minutes'");
  expect(await updateBands(api.db.pool, signal)).toBe(0);
  expect(await api.db.rows('select 1 from price_models where bands_version = version')).toHaveLength(1);
  const [band] = await bandsOf(id);
  expect(band.middle).toBeGreaterThan(0);
});

it('matches a listing again when a new model makes its price a good one, if an alert asks for that', async () => {
  const { pool } = api.db;
  const patch = 'mutation ($id: ID!, $input: AlertPatch!) { updateAlert(id: $id, input: $input) { belowFairPrice } }';
  const input = { belowFairPrice: true, priceMin: null, priceMax: null };
  await ana.gql(patch, { id: String(alertId), input });
  const cars = camrys(120);
  const good = buildFacts({ year: 2018, title: '2018 Toyota Camry', price: 6_000 });
  const dear = buildFacts({ year: 2018, title: '2018 Toyota Camry', price: 30_000 });
  const [goodId = 0] = await store(good, dear, ...cars);
  const drain = async () => {
    while ((await matchPendingListings(pool)) > 0);
    const { rows } = await pool.query<{ id: number }>(
      `select listing_id as id
         from matches m join alerts a on a.id = m.alert_id and a.user_id = m.user_id and a.version = m.alert_version where a.id = $1`,
      [alertId],
    );
    return rows.map(({ id }) => id);
  };
  expect(await drain()).toEqual([]);
  await fitPrices(pool, now, signal);
  await updateBands(pool, signal);
  const pending = await api.db.rows('select listing_id as id from listings_to_match where is_news');
  expect(pending.length).toBeGreaterThan(0);
  expect(pending.length).toBeLessThan(90);
  expect(await drain()).toContain(goodId);
  expect(await drain()).toHaveLength(pending.length);
  await ana.gql(patch, { id: String(alertId), input: { belowFairPrice: false } });
  await pool.query('update listings set band_low = null');
  await updateBands(pool, signal);
  expect(await api.db.rows('select listing_id as id from listings_to_match where is_news')).toEqual([]);
});

it('sees an alert that asks for a good price before any search for it can have run', async () => {
  const { pool } = api.db;
  const good = buildFacts({ year: 2018, title: '2018 Toyota Camry', price: 6_000 });
  const [goodId = 0] = await store(good, ...camrys(120));
  while ((await matchPendingListings(pool)) > 0);
  await fitPrices(pool, now, signal);
  let updating: Promise<number> | undefined;
  await inTransaction(pool, async (backfill) => {
    await backfill.query('select pg_advisory_xact_lock($1)', [locks.search]);
    updating = updateBands(pool, signal);
    await expect.poll(() => api.db.lockWaits()).toBe(1);
    const patch = 'mutation ($id: ID!, $input: AlertPatch!) { updateAlert(id: $id, input: $input) { belowFairPrice } }';
    const input = { belowFairPrice: true, priceMin: null, priceMax: null };
    await ana.gql(patch, { id: String(alertId), input });
  });
  await updating;
  expect(await api.db.rows('select is_news from listings_to_match where listing_id = $1', [goodId])).toEqual([
    { is_news: true },
  ]);
});

it('waits for a listing before it keeps backfills out, as others that hold one may wait for an alert', async () => {
  const { pool } = api.db;
  const [heldId] = await store(...camrys(120));
  await fitPrices(pool, now, signal);
  let updating: Promise<number> | undefined;
  await inTransaction(pool, async (client) => {
    await client.query('select from listings where id = $1 for share', [heldId]);
    updating = updateBands(pool, signal);
    await expect.poll(() => api.db.lockWaits()).toBe(1);
    const { rows } = await client.query('select pg_try_advisory_xact_lock($1) as free', [locks.search]);
    expect(rows).toEqual([{ free: true }]);
  });
  expect(await updating).toBe(120);
});

it.runIf(onCluster)('is not changed while a server has not committed one of the listings yet', async () => {
  const { pool } = api.db;
  const [id = 0] = await store(...camrys(120));
  await fitPrices(pool, now, signal);
  const turnCopy = () =>
    onServerOf(pool, 1, 'update listings set id = -id where abs(id) = $1::int8 returning id', [id]);
  expect(await turnCopy()).toHaveLength(1);
  await expect(updateBands(pool, signal)).rejects.toThrow(ConcurrentWrite);
  await turnCopy();
  expect(await updateBands(pool, signal)).toBe(120);
});

it('is fitted once by two workers, again after a day, and sooner when the cars are twice as many', async () => {
  const { pool } = api.db;
  await storePage(pool, 'lot', camrys(120));
  const both = await Promise.all([fitPrices(pool, now, signal), fitPrices(pool, now, signal)]);
  expect(both.toSorted()).toEqual([120, null]);
  expect(await fitPrices(pool, now, signal)).toBeNull();
  await pool.query("update price_models set fitted_at = now() - interval '11 minutes'");
  expect(await fitPrices(pool, now, signal)).toBeNull();
  // Prices that are none, and a claim that found too few cars.
  await storePage(
    pool,
    'lot',
    camrys(200).map((car) => ({ ...car, price: 1 })),
  );
  await pool.query('update price_models set claimed_until = null');
  expect(await fitPrices(pool, now, signal)).toBeNull();
  await pool.query('update price_models set claimed_until = null');
  await storePage(pool, 'lot', camrys(121));
  expect(await fitPrices(pool, now, signal)).toBe(241);
  await pool.query("update price_models set fitted_at = now() - interval '25 hours'");
  expect(await fitPrices(pool, now, signal)).toBe(241);
  const { version } = (await api.db.row('select version from price_models')) ?? {};
  expect(version).toBe(3);
});

it('is claimed again an hour after a worker died', async () => {
  const { pool } = api.db;
  await storePage(pool, 'lot', camrys(120));
  await pool.query("update price_models set claimed_until = now() + interval '1 minute'");
  expect(await fitPrices(pool, now, signal)).toBeNull();
  await pool.query("update price_models set claimed_until = now() - interval '1 second'");
  expect(await fitPrices(pool, now, signal)).toBe(120);
});

it('comes with a match that arrives live', async () => {
  const [rated = 0, refused = 0] = await store(...camrys(2));
  const change = (id: number, band: string) => api.db.pool.query(`update listings set ${band} where id = $1`, [id]);
  await change(rated, 'price = 13900, band_low = 13200, band_middle = 15900, band_high = 18900, band_cars = 212');
  await change(refused, "band_cars = 3, band_refusal = 'few_cars'");
  const client = ana.socket();
  const after = (await ana.gql('{ matches { liveCursor } }')).data.matches.liveCursor;
  const matches = client.iterate<{ matchAdded: { match: { listing: { priceBand: object } } } }>({
    query: `subscription ($alertId: ID, $after: String) { matchAdded(alertId: $alertId, after: $after) {
      match { listing { priceBand { low middle high n rating reason } } } } }`,
    variables: { alertId, after },
  });
  await insertMatches(api.db.pool, alertId, [rated, refused]);
  const next = async () => {
    const { value } = await matches.next();
    return value?.data?.matchAdded.match.listing.priceBand;
  };
  expect(await next()).toEqual({ low: 13_200, middle: 15_900, high: 18_900, n: 212, rating: 'good', reason: null });
  expect(await next()).toEqual({ low: null, middle: null, high: null, n: 3, rating: null, reason: 'few_cars' });
  await client.dispose();
});
