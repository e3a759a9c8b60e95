import { expect, it } from 'vitest';
import { type Browser } from '../../../test/browser.ts';
import { buildFacts, insertMatches, storePage } from '../../../test/factories.ts';
import { setUpApi } from '../../../test/make-app.ts';
import { ListingStatus } from '../../domain/facts/listing-facts.ts';

let ana: Browser;
let alertId: number;
const api = setUpApi({}, async () => {
  ({ browser: ana } = await api.user('ana'));
  alertId = await ana.createAlert();
});

async function store(source: string, ...cars: Parameters<typeof buildFacts>[0][]): Promise<number[]> {
  const { results } = await storePage(
    api.db.pool,
    source,
    cars.map((car) => buildFacts(car)),
  );
  return results.map(({ listingId }) => listingId ?? 0);
}

const query = 'query ($id: ID!) { listing(id: $id) { daysOnMarket relists cautions { kind reason } } }';
const read = async (id: number) => (await ana.gql(query, { id })).data.listing;

it('counts days and relists of a car over all of its listings', async () => {
  const daysAgo = (days: number) => new Date(Date.now() - days * 86_400_000 - 60_000);
  const car = { vin: '1HGCM82633A004352', year: 2003 };
  const [old = 0] = await store('lot', { ...car, listedAt: daysAgo(60), externalId: 'first' });
  await store('lot', { ...car, externalId: 'first', status: ListingStatus.gone, listedAt: daysAgo(60) });
  await api.db.pool.query(
    "update listings set seen_at = now() - interval '60 days', last_seen_at = now() - interval '30 days' where id = $1",
    [old],
  );
  const [second = 0] = await store('lot', { ...car, listedAt: daysAgo(3), externalId: 'second' });
  const [elsewhere = 0] = await store('market', { ...car, listedAt: daysAgo(2) });
  const [other = 0] = await store('lot', { listedAt: daysAgo(2), make: 'honda', model: 'civic' });
  await insertMatches(api.db.pool, alertId, [old, second, elsewhere, other]);
  for (const id of [old, second, elsewhere]) {
    expect(await read(id)).toMatchObject({ daysOnMarket: 60, relists: 1 });
  }
  expect(await read(other)).toEqual({ daysOnMarket: 2, relists: 0, cautions: [] });
});

it('says why a buyer should look twice, from what the advert says', async () => {
  const accord = { make: 'honda', model: 'accord' };
  const odd = { ...accord, vin: '1HGCM82633A004352', externalId: 'odd' };
  const [id = 0, plain = 0, other = 0] = await store(
    'lot',
    { ...odd, year: 2012, prepayment: 'deposit first', price: 5_000 },
    { ...accord, vin: '1HGCM82633A004353', year: 2003, price: 5_000 },
    { vin: '1FTFW1CT5DFC10312', make: 'toyota', model: 'camry', year: 2016, price: 9_000 },
  );
  await api.db.pool.query('update listings set band_low = 8000, band_middle = 9000, band_high = 10000, band_cars = 40');
  await api.db.pool.query("update listings set photo_place = 'Tampa, FL' where id = $1", [id]);
  await insertMatches(api.db.pool, alertId, [id, plain, other]);
  const { cautions } = await read(id);
  expect(cautions.map(({ kind }: { kind: string }) => kind)).toEqual([
    'low_price',
    'prepayment',
    'photo_elsewhere',
    'vin_year',
  ]);
  expect(cautions[0].reason).toBe('The price is far below similar cars. Ask why before you pay anything.');
  expect((await read(plain)).cautions.map(({ kind }: { kind: string }) => kind)).toEqual(['low_price']);
  const ofFord = "The VIN is that of a 2013 Ford, the advert says 2016 Toyota. Compare it with the car's title.";
  expect((await read(other)).cautions).toEqual([{ kind: 'vin_car', reason: ofFord }]);
  // Another photo, and an advert that no longer asks for money.
  await store('lot', { ...odd, images: ['https://photos.example/2.jpg'], year: 2003, price: 9_000 });
  expect((await read(id)).cautions).toEqual([]);
});
