import { beforeAll, expect, it } from 'vitest';
import { type Browser, makeBrowser } from '../../../test/browser.ts';
import { buildFacts, insertMatches, storePage } from '../../../test/factories.ts';
import { setUpApi } from '../../../test/make-app.ts';
import { shareCars, tokenOf } from '../../../test/sharing.ts';

const HOME = 'https://north-lot.example/';
const PAGE = 'https://north-lot.example/cars/7';
let ana: Browser;
let alertId: number;
let fallback: string;

const api = setUpApi({}, async () => {
  ({ browser: ana } = await api.user('ana'));
  alertId = await ana.createAlert({ location: 'Los Angeles, CA' });
});
beforeAll(async () => {
  await api.db.pool.query(
    `insert into sources (name, kind, settings) values ('north-lot', 'vehicle-feed', $1), ('south-lot', 'vehicle-feed', '{}')`,
    [JSON.stringify({ marketplaceHome: HOME })],
  );
  const { data } = await makeBrowser(api.url).gql('{ site { marketplaceHome } }');
  fallback = data.site.marketplaceHome;
});

async function store(source: string, url: string | null): Promise<number> {
  const { results } = await storePage(api.db.pool, source, [buildFacts({ lat: 34.05, lng: -118.24, url })]);
  const id = results[0]?.listingId ?? 0;
  await insertMatches(api.db.pool, alertId, [id]);
  return id;
}

it.each([
  ['its own page', 'north-lot', PAGE, () => PAGE],
  ['the home that its source names', 'north-lot', null, () => HOME],
  ['no script', 'north-lot', 'javascript:alert(1)', () => HOME],
  ['the home of this installation, as its source names none', 'south-lot', null, () => fallback],
])('a car leads to %s, wherever it is shown', async (_what, source, url, led) => {
  const id = await store(source, url);
  const { data } = await ana.gql(
    `query ($id: ID!, $alert: ID!) { listing(id: $id) { marketplaceUrl offers { marketplaceUrl isCurrent } }
       matchMap(alertId: $alert) { points { listingId marketplaceUrl } } }`,
    { id, alert: alertId },
  );
  expect(data.listing.marketplaceUrl).toBe(led());
  expect(data.listing.offers).toContainEqual({ marketplaceUrl: led(), isCurrent: true });
  expect(data.matchMap.points).toContainEqual({ listingId: String(id), marketplaceUrl: led() });
});

it('a shared car leads there too', async () => {
  const { data } = await shareCars(ana, [await store('north-lot', null)]);
  const query = 'query ($token: String!) { shared(token: $token) { cars { marketplaceUrl } } }';
  const shown = await makeBrowser(api.url).gql(query, { token: tokenOf(data.shareListings.url) });
  expect(shown.data.shared.cars).toEqual([{ marketplaceUrl: HOME }]);
});
