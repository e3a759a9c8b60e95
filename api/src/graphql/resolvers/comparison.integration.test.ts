import { beforeEach, expect, it } from 'vitest';
import { makeRandom } from '../../../lab/random.ts';
import { type Browser } from '../../../test/browser.ts';
import { buildFacts, insertMatches, storePage } from '../../../test/factories.ts';
import { setUpApi } from '../../../test/make-app.ts';
import { ListingStatus } from '../../domain/facts/listing-facts.ts';
import { fitPrices, makePriceModelReader } from '../../intake/price-models.ts';
import { storeListings } from '../../intake/store-listings.ts';

type Facts = ReturnType<typeof buildFacts>;

let ana: Browser;
let bob: Browser;
let alertId: number;
const api = setUpApi({}, async () => {
  ({ browser: ana } = await api.user('ana'));
  ({ browser: bob } = await api.user('bob'));
  alertId = await ana.createAlert();
});

beforeEach(async () => {
  await api.db.pool.query(
    'truncate listings, listings_to_match, sources, price_changes, matches, price_models, saved_listings',
  );
  await api.db.pool.query('insert into price_models default values');
});

async function store(source: string, ...cars: Partial<Facts>[]): Promise<number[]> {
  const { results } = await storePage(
    api.db.pool,
    source,
    cars.map((car) => buildFacts(car)),
  );
  return results.map(({ listingId }) => listingId ?? 0);
}

const comparable = (first = '') =>
  `query ($id: ID!) { comparableCars(listingId: $id${first}) { n reason points { title price mileage year } band { mileage low middle high } } }`;
const history = `query ($id: ID!) {
  carHistory(listingId: $id) { source status url price listedAt lastSeenAt isCurrent prices { price seenAt } } }`;

const random = makeRandom(5);
const camrys = (count: number) =>
  Array.from({ length: count }, (_, index) => {
    const year = 2014 + (index % 8);
    const mileageMiles = 5_000 + Math.round(random() * 150_000);
    const price = Math.round(30_000 * 0.87 ** (2026 - year) * (1.3 - mileageMiles / 300_000) * (0.95 + random() * 0.1));
    return buildFacts({ year, price, mileageMiles, title: `${year} Toyota Camry`, vin: null, lat: 30 + index / 50 });
  });

it('compares a price with other cars of the model, at most four years apart, each car once', async () => {
  await storePage(api.db.pool, 'lot', camrys(240));
  await fitPrices(api.db.pool, new Date('2026-07-01T00:00:00Z'), new AbortController().signal);
  const own = { year: 2014, mileageMiles: 60_011, price: 9_000, title: '2014 Toyota Camry', lat: 46 };
  const { results } = await storeListings(api.db.pool, 'lot', [{ facts: buildFacts(own) }], {
    announce: true,
    prices: makePriceModelReader(api.db.pool),
  });
  const id = results[0]?.listingId ?? 0;
  await insertMatches(api.db.pool, alertId, [id]);
  // None of these is comparable: a relist of the car itself, too far in years, without price or mileage, long gone.
  const [, , , , old = 0] = await store(
    'lot',
    { ...own, mileageMiles: 60_011 },
    { year: 2019, price: 1_111 },
    { year: 2014, price: null },
    { year: 2014, price: 1_111, mileageMiles: null },
    { year: 2014, price: 1_111 },
    { year: 2014, price: 1_111, model: 'corolla' },
  );
  await api.db.pool.query("update listings set seen_at = now() - interval '181 days' where id = $1", [old]);
  await api.db.pool.query('update listings set car_id = $1 where id = $1 or id = $1 + 1', [id]);

  const { comparableCars } = (await ana.gql(comparable(), { id })).data;
  expect(comparableCars.reason).toBeNull();
  expect(comparableCars.n).toBe(150);
  expect(comparableCars.points).toHaveLength(150);
  const years = new Set(comparableCars.points.map(({ year }: { year: number }) => year));
  expect([...years].toSorted()).toEqual([2014, 2015, 2016, 2017, 2018]);
  expect(comparableCars.points.every(({ price }: { price: number }) => price > 2_000)).toBe(true);
  const { band } = comparableCars;
  expect(band.length).toBeGreaterThan(8);
  expect(band.at(-1).middle).toBeLessThan(band[0].middle);
  for (const { low, middle, high } of band) expect(low < middle && middle < high).toBe(true);

  const ten = (await ana.gql(comparable(', first: 10'), { id })).data.comparableCars;
  expect(ten.points).toEqual(comparableCars.points.slice(0, 10));
  for (const first of [0, 201]) {
    expect((await ana.gql(comparable(`, first: ${first}`), { id })).errors[0]?.extensions.code).toBe('VALIDATION');
  }
});

it('compares nothing where there is no band, and says why', async () => {
  const [few = 0, unknown = 0] = await store('lot', {}, {});
  await api.db.pool.query("update listings set band_refusal = 'wide_spread', band_cars = 12 where id = $1", [few]);
  await insertMatches(api.db.pool, alertId, [few, unknown]);
  const nothing = { points: [], band: [] };
  expect((await ana.gql(comparable(), { id: few })).data.comparableCars).toEqual({
    ...nothing,
    n: 12,
    reason: 'wide_spread',
  });
  expect((await ana.gql(comparable(), { id: unknown })).data.comparableCars).toEqual({
    ...nothing,
    n: 0,
    reason: 'few_cars',
  });
});

it('tells the prices of a car under all of its listings, also those that have ended', async () => {
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000);
  const car = { vin: '1HGCM82633A004352', year: 2003 };
  const first = { ...car, externalId: 'first', listedAt: daysAgo(60), url: 'https://lot.example/1' };
  const [old = 0] = await store('north-lot', { ...first, price: 9_000 });
  await store('north-lot', { ...first, price: 8_500 });
  await store('north-lot', { ...first, price: 8_500, status: ListingStatus.gone });
  const [id = 0] = await store('north-lot', { ...car, price: 8_000, listedAt: daysAgo(20), url: null });
  await store('market', { ...car, price: 8_200, listedAt: daysAgo(10), url: 'https://market.example/1' });
  await insertMatches(api.db.pool, alertId, [id]);

  const { carHistory } = (await ana.gql(history, { id })).data;
  const short = carHistory.map((one: { prices: { price: number }[] } & Record<string, unknown>) => [
    one.source,
    one.status,
    one.url,
    one.price,
    one.isCurrent,
    one.prices.map(({ price }) => price),
  ]);
  expect(short).toEqual([
    ['North lot', 'gone', null, 8_500, false, [9_000, 8_500]],
    ['North lot', 'for_sale', null, 8_000, true, [8_000]],
    ['Market', 'for_sale', 'https://market.example/1', 8_200, false, [8_200]],
  ]);
  expect(Date.parse(carHistory[0].prices[1].seenAt)).not.toBeNaN();
  expect(old).toBeGreaterThan(0);
});

it('shows both only to those who may see the listing, also where it is saved and no longer matches', async () => {
  const [id = 0] = await store('lot', {});
  await insertMatches(api.db.pool, alertId, [id]);
  const codes = async (who: Browser, listing: string | number) =>
    Promise.all(
      [comparable(), history].map(async (query) => {
        const { errors } = await who.gql(query, { id: listing });
        return errors[0]?.extensions.code ?? 'shown';
      }),
    );
  expect(await codes(ana, id)).toEqual(['shown', 'shown']);
  expect(await codes(bob, id)).toEqual(['NOT_FOUND', 'NOT_FOUND']);
  expect(await codes(ana, 'x')).toEqual(['NOT_FOUND', 'NOT_FOUND']);
  expect(await codes(ana, '999999')).toEqual(['NOT_FOUND', 'NOT_FOUND']);
  await ana.gql('mutation ($id: ID!) { saveListing(id: $id, saved: true) { id } }', { id });
  await api.db.pool.query('truncate matches');
  expect(await codes(ana, id)).toEqual(['shown', 'shown']);
});

it('reads the cars of one model by index among many', async () => {
  await api.db.pool.query(
    `insert into listings (source, external_id, title, make, model, year, price, mileage, facts_hash, pending_match)
     select 'many', n::text, 'A car', 'make-' || n % 40, 'model-' || n % 400, 1990 + n % 35, 5000 + n % 20000, n % 200000, '', false
       from generate_series(1, 60000) n`,
  );
  await api.db.pool.query('analyze listings');
  const { rows } = await api.db.pool.query<{ 'QUERY PLAN': string }>(
    `explain select id from listings where make = 'make-7' and model = 'model-7' and year = 2002::int2
        and seen_at > now() - interval '180 days' order by seen_at desc, id desc limit 200`,
  );
  expect(rows.map((row) => row['QUERY PLAN']).join('\n')).toContain('listings_comparable');
});
