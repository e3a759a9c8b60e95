import { beforeEach, expect, it } from 'vitest';
import { type Browser } from '../../../test/browser.ts';
import { buildFacts, insertMatches } from '../../../test/factories.ts';
import { setUpApi } from '../../../test/make-app.ts';
import { type ListingFacts, ListingStatus } from '../../domain/facts/listing-facts.ts';
import { storeListings } from '../../intake/store-listings.ts';

let ana: Browser;
let alertId: number;

const api = setUpApi({}, async () => {
  ({ browser: ana } = await api.user('ana'));
  alertId = await ana.createAlert();
});
beforeEach(() =>
  api.db.pool.query('truncate listings, listings_to_match, sources, price_changes, matches restart identity'),
);

const car = buildFacts({ mileageMiles: 61_234, price: 16_000, listedAt: new Date('2026-05-01T10:00:00Z') });

async function store(source: string, facts: Partial<ListingFacts> = {}): Promise<number> {
  const one = { ...car, externalId: source, url: `https://${source}.example/1`, ...facts };
  const { results } = await storeListings(api.db.pool, source, [{ facts: one }], { announce: true });
  return results[0]?.listingId ?? 0;
}
/** Everything stored so far was seen an hour earlier. */
async function anHourLater(): Promise<void> {
  await api.db.pool.query(
    `with earlier as materialized (
       select id as of, seen_at - interval '1 hour' as seen, last_seen_at - interval '1 hour' as last_seen from listings
     )
     update listings set seen_at = e.seen, last_seen_at = e.last_seen from earlier e where id = e.of`,
  );
  await api.db.pool.query(
    `with earlier as materialized (
       select listing_id as of, seen_at as before, seen_at - interval '1 hour' as seen from price_changes
     )
     update price_changes p set seen_at = e.seen from earlier e where p.listing_id = e.of and p.seen_at = e.before`,
  );
}
const match = (...ids: number[]) => insertMatches(api.db.pool, alertId, ids);

async function listing(id: number) {
  const query = `query ($id: ID!) { listing(id: $id) { carId alertIds price priceHistory { price }
    offers { id source price url status createdAt isCurrent } } }`;
  return (await ana.gql(query, { id })).data.listing;
}
const recent = async () => (await ana.gql('{ recentListings { id carId alertIds } }')).data.recentListings;

it('shows a car that two sources list as one car, with the cheapest offer first, whichever listing is the match', async () => {
  const [dear, cheap] = [await store('lot'), await store('dealer-feed', { price: 15_000 })];
  await match(cheap, dear);
  expect(await listing(dear)).toEqual({
    carId: String(dear),
    alertIds: [String(alertId)],
    price: 16_000,
    priceHistory: [{ price: 16_000 }],
    offers: [
      {
        id: String(cheap),
        source: 'Dealer feed',
        price: 15_000,
        url: 'https://dealer-feed.example/1',
        status: 'for_sale',
        createdAt: '2026-05-01T10:00:00.000Z',
        isCurrent: false,
      },
      expect.objectContaining({ id: String(dear), source: 'Lot', price: 16_000, isCurrent: true }),
    ],
  });
  expect(await recent()).toEqual([{ id: String(cheap), carId: String(dear), alertIds: [String(alertId)] }]);
  await store('dealer-feed', { price: 15_000, status: ListingStatus.sold });
  expect((await listing(dear)).offers.map((offer: { status: string }) => offer.status)).toEqual(['for_sale', 'sold']);
  expect((await recent())[0].id).toBe(String(dear));
});

it('shows of an offer that is not a match only source, price and address, and only while it is for sale', async () => {
  const own = await store('lot');
  const other = await store('dealer', { price: 17_000 });
  await match(own);
  expect((await listing(own)).offers[1]).toEqual({
    id: null,
    source: 'Dealer',
    price: 17_000,
    url: 'https://dealer.example/1',
    status: 'for_sale',
    createdAt: null,
    isCurrent: false,
  });
  expect(await listing(other)).toBeNull();
  await store('dealer', { price: 17_000, status: ListingStatus.pending });
  expect((await listing(own)).offers).toHaveLength(1);
});

it('follows the price through a relist at the same source, whose earlier listing is no offer', async () => {
  const first = await store('lot');
  await anHourLater();
  await store('lot', { price: 15_500 });
  await anHourLater();
  await api.db.pool.query("update listings set last_seen_at = now() - interval '1 hour'");
  const again = await store('lot', { externalId: 'again', price: 15_000 });
  await match(first, again);
  const { carId, offers, priceHistory } = await listing(again);
  expect(carId).toBe(String(first));
  expect(priceHistory.map((point: { price: number }) => point.price)).toEqual([16_000, 15_500, 15_000]);
  expect(offers.map((offer: { id: string }) => offer.id)).toEqual([String(again)]);
  expect((await recent()).map((one: { id: string }) => one.id)).toEqual([String(again)]);
  await api.db.pool.query('update listings set last_seen_at = now() where id = $1', [first]);
  expect((await listing(again)).offers).toHaveLength(2);
});

it('shows the alerts of all listings of a car together', async () => {
  const [one, two] = [await store('lot'), await store('dealer')];
  await match(one);
  await api.db.pool.query("update users set plan_id = 2 where username = 'ana'");
  const second = await ana.createAlert({ location: 'Pasadena, CA', model: null });
  await insertMatches(api.db.pool, second, [two], { distance: 1 });
  expect((await recent())[0].alertIds).toEqual([String(second), String(alertId)]);
  const { data } = await ana.gql('{ alerts { id matchCount } }');
  expect(data.alerts.map((alert: { matchCount: number }) => alert.matchCount)).toEqual([1, 1]);
});

it('shows both listings of a car that a feed has twice, until a read lacks the earlier one', async () => {
  const first = await store('lot');
  await anHourLater();
  const second = await store('lot', { externalId: 'again', price: 15_000 });
  await match(first, second);
  await api.db.pool.query(
    "insert into sources (name, kind, last_success_at) values ('lot', 'vehicle-feed', now() + interval '1 second')",
  );
  expect((await listing(second)).offers).toHaveLength(2);
  await api.db.pool.query('update listings set missed_reads = 1 where id = $1', [first]);
  expect((await listing(second)).offers.map((offer: { id: string }) => offer.id)).toEqual([String(second)]);
});
