import { beforeEach, expect, it } from 'vitest';
import type { Browser } from '../../../test/browser.ts';
import { buildFacts, insertMatches, storePage } from '../../../test/factories.ts';
import { setUpApi } from '../../../test/make-app.ts';

let ana: Browser;
let alertId: number;
const api = setUpApi({}, async () => {
  ({ browser: ana } = await api.user('ana'));
});

beforeEach(async () => {
  await api.db.pool.query('truncate listings, listings_to_match, sources, matches restart identity');
  await api.db.pool.query('update users set plan_id = 4');
  alertId = await ana.createAlert({ location: 'Los Angeles, CA' });
});

const fields = 'listingId carId title price status url place distance latitude longitude';
const query = `query ($id: ID!) { matchMap(alertId: $id) { latitude longitude points { ${fields} } } }`;

async function store(...facts: ReturnType<typeof buildFacts>[]): Promise<number[]> {
  const { results } = await storePage(api.db.pool, 'lot', facts);
  return results.map(({ listingId }) => listingId ?? 0);
}

it('shows where the matches are, newest first and to hundredths of a degree, around the place of the alert', async () => {
  const url = 'https://cars.example/7';
  const [old = 0] = await store(buildFacts({ lat: 34.147_789, lng: -118.144_52, title: '2018 Toyota Camry', url }));
  const [recent = 0, nowhere = 0] = await store(
    buildFacts({ lat: 34.055, lng: -118.2449, price: null, city: null, state: null }),
    buildFacts({ lat: null, lng: null, city: null, state: null }),
  );
  await insertMatches(api.db.pool, alertId, [old]);
  await insertMatches(api.db.pool, alertId, [recent, nowhere]);
  const { data, errors } = await ana.gql(query, { id: alertId });
  expect(errors).toEqual([]);
  expect(data.matchMap).toMatchObject({ latitude: 34.05223, longitude: -118.24368 });
  expect(data.matchMap.points).toMatchObject([
    { listingId: String(recent), price: null, place: null, latitude: 34.06, longitude: -118.24 },
    {
      listingId: String(old),
      carId: String(old),
      title: '2018 Toyota Camry',
      price: 15_400,
      status: 'for_sale',
      url,
      place: 'Pasadena, CA',
      latitude: 34.15,
      longitude: -118.14,
    },
  ]);
});

it('tells distances to a rounded point, which do not betray the exact one', async () => {
  const near = { lat: 34.141_7, lng: -118.148_3 };
  const far = { lat: 34.142_7, lng: -118.147_5 };
  await insertMatches(api.db.pool, alertId, await store(buildFacts(near)), { distance: 8.25 });
  await insertMatches(api.db.pool, alertId, await store(buildFacts(far)), { distance: 8.33 });
  const { points } = (await ana.gql(query, { id: alertId })).data.matchMap;
  expect(points).toMatchObject([
    { latitude: 34.14, longitude: -118.15, distance: 8.3 },
    { latitude: 34.14, longitude: -118.15, distance: 8.3 },
  ]);
});

it('leaves out what the alert does not show: pairs that no longer fit, and cars that were dismissed', async () => {
  const [first = 0, second = 0] = await store(buildFacts(), buildFacts());
  await insertMatches(api.db.pool, alertId, [first, second]);
  const shown = async () => (await ana.gql(query, { id: alertId })).data.matchMap.points.length;
  expect(await shown()).toBe(2);
  await ana.gql('mutation ($id: ID!) { hideCar(id: $id, hidden: true) { id } }', { id: first });
  expect(await shown()).toBe(1);
  await api.db.pool.query('update alerts set version = version + 1');
  expect(await shown()).toBe(0);
});

it('leaves the cars that a filtered list of the matches leaves', async () => {
  const cars = [1, 2, 3, 4].map(() => buildFacts());
  const [saved = 0, dropped = 0, fair = 0, viewed = 0] = await store(...cars);
  await insertMatches(api.db.pool, alertId, [saved, dropped, fair, viewed]);
  await store({ ...(cars[1] ?? buildFacts()), price: 14_900 });
  const { pool } = api.db;
  await pool.query('update listings set band_low = 16000, band_middle = 18000, band_high = 20000 where id = $1', [
    fair,
  ]);
  await ana.gql('mutation ($id: ID!) { saveListing(id: $id, saved: true) { id } }', { id: saved });
  await ana.gql('mutation ($id: ID!) { markListingViewed(id: $id) { id } }', { id: viewed });
  const filtered = `query ($id: ID!, $only: [ListFilter!]) {
    matchMap(alertId: $id, only: $only) { points { listingId } }
    matches(alertId: $id, only: $only) { nodes { listing { id } } } }`;
  const left = async (only: string[] | null) => {
    const { data } = await ana.gql(filtered, { id: alertId, only });
    const onMap = data.matchMap.points.map(({ listingId }: { listingId: string }) => Number(listingId));
    expect(data.matches.nodes.map(({ listing }: { listing: { id: string } }) => Number(listing.id))).toEqual(onMap);
    return onMap;
  };
  expect(await left(null)).toEqual([viewed, fair, dropped, saved]);
  expect(await left(['saved'])).toEqual([saved]);
  expect(await left(['price_drop', 'price_drop'])).toEqual([dropped]);
  expect(await left(['below_fair_price'])).toEqual([fair]);
  expect(await left(['new'])).toEqual([fair, dropped, saved]);
  expect(await left(['new', 'saved', 'price_drop'])).toEqual([]);
});

it('belongs to the owner of the alert alone', async () => {
  const { browser: bob } = await api.user('bob');
  const { errors } = await bob.gql(query, { id: alertId });
  expect(errors[0]).toMatchObject({ message: 'Alert not found', extensions: { code: 'NOT_FOUND' } });
});

it('may be asked for once with all its fields in one operation', async () => {
  expect((await ana.gql(query, { id: alertId })).errors).toEqual([]);
  const twice = `query ($id: ID!) { a: matchMap(alertId: $id) { points { ${fields} } } b: matchMap(alertId: $id) { points { ${fields} } } }`;
  expect((await ana.gql(twice, { id: alertId })).errors[0]?.message).toMatch(/cost/i);
});
