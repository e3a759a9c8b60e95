import { parse } from 'csv-parse/sync';
import { beforeEach, expect, it } from 'vitest';
import type { Browser } from '../../../test/browser.ts';
import { storeCars, untilMatchesVisible } from '../../../test/factories.ts';
import { setUpApi } from '../../../test/make-app.ts';
import { matchPendingAlerts } from '../../matching/match-alerts.ts';
import { matchPendingListings } from '../../matching/match-listings.ts';

/** 8.25 and 8.33 miles from Los Angeles, and in the same square of the grid, whose middle is 8.3 miles away. */
const near = { lat: 34.141_7, lng: -118.148_3, price: 15_000, mileageMiles: 60_000 };
const far = { lat: 34.142_7, lng: -118.147_5, price: 11_000, mileageMiles: 90_000 };

let ana: Browser;
let ids: number[];

const api = setUpApi({}, async () => {
  ({ browser: ana } = await api.user('ana'));
  await api.db.pool.query('update users set plan_id = 4');
});

beforeEach(async () => {
  await api.db.pool.query(
    'truncate listings, listings_to_match, matches, alerts, alert_cells, saved_listings restart identity cascade',
  );
});

const searches: [string, (alertId: () => Promise<number>) => Promise<number>][] = [
  [
    'by the search for new listings',
    async (makeAlert) => {
      const alertId = await makeAlert();
      ids = await storeCars(api.db.pool, [near, far]);
      return alertId;
    },
  ],
  [
    'by the backfill',
    async (makeAlert) => {
      ids = await storeCars(api.db.pool, [near, far]);
      while ((await matchPendingListings(api.db.pool)) > 0);
      return makeAlert();
    },
  ],
];

const query = `query ($alertId: ID!, $near: String!, $far: String!) {
  matches(alertId: $alertId) { nodes { distance verdicts { criterion found } listing { distance } } }
  nearest: matches(alertId: $alertId, sort: nearest) { nodes { listing { id } } endCursor }
  first: matches(alertId: $alertId, sort: nearest, first: 1) { nodes { listing { id } } endCursor }
  near: explainListing(alertId: $alertId, listing: $near) { verdicts { criterion found } }
  far: explainListing(alertId: $alertId, listing: $far) { verdicts { criterion found } }
  matchMap(alertId: $alertId) { points { distance } } }`;
const saved = '{ savedListings(sort: nearest) { nodes { listing { id distance } } } }';

it.each(searches)('a match that is found %s tells the distance to its rounded point alone', async (_name, find) => {
  const alertId = await find(() => ana.createAlert());
  while ((await matchPendingListings(api.db.pool)) > 0);
  while ((await matchPendingAlerts(api.db.pool)) > 0);
  await untilMatchesVisible(api.db.pool);
  const [nearId = 0, farId = 0] = ids;
  await api.db.pool.query(
    'insert into saved_listings (user_id, listing_id) select user_id, unnest($1::int8[]) from alerts',
    [ids],
  );
  const { data } = await ana.gql(query, { alertId, near: `#${nearId}`, far: `#${farId}` });
  const verdict = { criterion: 'distance', found: '8.3 miles' };
  const match = { distance: 8.3, verdicts: expect.arrayContaining([verdict]), listing: { distance: 8.3 } };
  expect(data.matches.nodes).toEqual([match, match]);
  expect(data.near.verdicts).toContainEqual(verdict);
  expect(data.far.verdicts).toContainEqual(verdict);
  expect(data.matchMap.points).toEqual([{ distance: 8.3 }, { distance: 8.3 }]);

  // Two that are equally far are listed as in every sort, the newer one first.
  const order = [farId, nearId].map(String);
  const idsOf = (nodes: { listing: { id: string } }[]) => nodes.map(({ listing }) => listing.id);
  expect(idsOf(data.nearest.nodes)).toEqual(order);
  const second =
    'query ($id: ID!, $after: String) { matches(alertId: $id, sort: nearest, after: $after) { nodes { listing { id } } } }';
  const rest = await ana.gql(second, { id: alertId, after: data.first.endCursor });
  expect([...idsOf(data.first.nodes), ...idsOf(rest.data.matches.nodes)]).toEqual(order);
  const { nodes } = (await ana.gql(saved)).data.savedListings;
  expect(nodes.map(({ listing }: { listing: object }) => listing)).toEqual(order.map((id) => ({ id, distance: 8.3 })));

  const file = await (await ana.fetch(`/api/listings/export?alertId=${alertId}`)).text();
  const rows = parse(file, { columns: true, bom: true }) as Record<string, string>[];
  expect(rows.map((row) => row['Distance (miles)'])).toEqual(['8.3', '8.3']);
  const listings = await (await ana.fetch(`/api/listings?alertId=${alertId}`)).json();
  expect(listings).toEqual([expect.objectContaining({ distance: 8.3 }), expect.objectContaining({ distance: 8.3 })]);
});
