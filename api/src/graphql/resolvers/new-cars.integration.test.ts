import { beforeEach, expect, it } from 'vitest';
import type { Browser } from '../../../test/browser.ts';
import { buildFacts, storePage, untilMatchesVisible } from '../../../test/factories.ts';
import { setUpApi } from '../../../test/make-app.ts';
import type { ListingFacts } from '../../domain/facts/listing-facts.ts';
import { matchPendingAlerts } from '../../matching/match-alerts.ts';
import { matchPendingListings } from '../../matching/match-listings.ts';
import { readEventListings } from '../../webhooks/events/event-listings.ts';

let ana: Browser;
let anaId: number;

const api = setUpApi({}, async () => {
  await api.db.pool.query("insert into sources (name, kind) values ('test', 'push'), ('yard', 'push')");
});
let users = 0;
beforeEach(async () => {
  await api.db.pool.query('delete from listings');
  users += 1;
  ({ browser: ana, id: anaId } = await api.user(`ana${users}`));
  await api.db.pool.query('update users set plan_id = 4');
});

async function matchAll(): Promise<void> {
  while ((await matchPendingListings(api.db.pool)) > 0);
  while ((await matchPendingAlerts(api.db.pool)) > 0);
  await untilMatchesVisible(api.db.pool);
}

async function list(change: Partial<ListingFacts> = {}, source = 'test'): Promise<number> {
  const { results } = await storePage(api.db.pool, source, [buildFacts(change)]);
  await matchAll();
  return results[0]?.listingId ?? 0;
}

async function watch(input: Record<string, unknown> = {}): Promise<number> {
  const id = await ana.createAlert(input);
  await matchAll();
  return id;
}

const query = `query ($alertId: ID!) { me { newCount } alerts { id newCount }
  plain: matches(alertId: $alertId) { nodes { listing { id isNew } } }
  new: matches(alertId: $alertId, only: [new]) { nodes { listing { id } } }
  all: matches { nodes { alertId foundByBackfill listing { id } } } }`;

interface Node {
  alertId: string;
  foundByBackfill: boolean;
  listing: { id: string; isNew: boolean };
}

/** What every reader says of an alert: the new cars, their counts, and the pairs that a backfill found. */
async function read(alertId: number) {
  const { data } = await ana.gql(query, { alertId });
  const idsOf = (nodes: Node[]) => nodes.map(({ listing }) => Number(listing.id)).sort((a, b) => a - b);
  const shown: Node[] = data.plain.nodes;
  const isNew = idsOf(shown.filter(({ listing }) => listing.isNew));
  expect(idsOf(data.new.nodes)).toEqual(isNew);
  const keys = shown.map(({ listing }) => ({ userId: anaId, listingId: Number(listing.id) }));
  const events = await readEventListings(api.db.pool, keys);
  expect(
    idsOf(
      [...events.values()].filter((event) => event.shown.isNew).map((e) => ({ listing: e.shown }) as unknown as Node),
    ),
  ).toEqual(isNew);
  return {
    isNew,
    counts: Object.fromEntries(data.alerts.map(({ id, newCount }: { id: string; newCount: number }) => [id, newCount])),
    ofUser: data.me.newCount,
    backfilled: data.all.nodes
      .filter((node: Node) => node.foundByBackfill)
      .map((node: Node) => [Number(node.alertId), Number(node.listing.id)]),
  };
}

it('a car that was listed before the alert is not new, and one that is listed after it is', async () => {
  const before = await list();
  const alert = await watch();
  expect(await read(alert)).toEqual({ isNew: [], counts: { [alert]: 0 }, ofUser: 0, backfilled: [[alert, before]] });
  const after = await list();
  expect(await read(alert)).toEqual({
    isNew: [after],
    counts: { [alert]: 1 },
    ofUser: 1,
    backfilled: [[alert, before]],
  });
  await ana.gql('mutation ($id: ID!) { markListingViewed(id: $id) { id } }', { id: after });
  expect(await read(alert)).toMatchObject({ isNew: [], counts: { [alert]: 0 }, ofUser: 0 });
});

it('no car is new a day after its match', async () => {
  const alert = await watch();
  const car = await list();
  expect(await read(alert)).toMatchObject({ isNew: [car], ofUser: 1 });
  await api.db.pool.query("update matches set matched_at = now() - interval '24 hours'");
  expect(await read(alert)).toEqual({ isNew: [], counts: { [alert]: 0 }, ofUser: 0, backfilled: [] });
});

it('an edit ends what was new, and what it finds is no news, also of an alert that sends no messages', async () => {
  const alert = await watch({ priceMax: 16_000, emailNotifications: false });
  const kept = await list({ price: 15_000 });
  const dear = await list({ price: 17_000 });
  expect(await read(alert)).toMatchObject({ isNew: [kept], counts: { [alert]: 1 } });
  await ana.gql('mutation ($id: ID!) { updateAlert(id: $id, input: { priceMax: 18000 }) { id } }', { id: alert });
  await matchAll();
  // The car that matched live keeps its receipt; a backfill found the other.
  expect(await read(alert)).toEqual({ isNew: [], counts: { [alert]: 0 }, ofUser: 0, backfilled: [[alert, dear]] });
  const after = await list({ price: 17_500 });
  expect(await read(alert)).toMatchObject({ isNew: [after], counts: { [alert]: 1 }, ofUser: 1 });
});

it('a car that a backfill of one alert found is new if another one knows it as news', async () => {
  const first = await watch();
  const car = await list();
  const second = await watch({ radius: 100 });
  const found = { isNew: [car], counts: { [first]: 1, [second]: 0 }, ofUser: 1, backfilled: [[second, car]] };
  expect(await read(first)).toEqual(found);
  expect(await read(second)).toEqual(found);
});

it('a car counts once, however many alerts and listings it matches', async () => {
  const [first, second] = [await watch(), await watch({ radius: 100 })];
  const [car, offer, other] = [await list(), await list({}, 'yard'), await list()];
  await api.db.pool.query('update listings set car_id = $1 where id = any($2)', [car, [car, offer]]);
  expect(await read(first)).toMatchObject({
    isNew: [car, offer, other],
    counts: { [first]: 2, [second]: 2 },
    ofUser: 2,
  });
});

it('a car whose price falls into an alert later is no news, and was not found by a backfill', async () => {
  const facts = { externalId: 'falls', price: 20_000 };
  const car = await list(facts);
  const alert = await watch({ priceMax: 18_000 });
  await list({ ...facts, price: 17_000 });
  expect(await read(alert)).toEqual({ isNew: [], counts: { [alert]: 0 }, ofUser: 0, backfilled: [] });
  const { data } = await ana.gql('{ matches { nodes { listing { id } } } }');
  expect(data.matches.nodes).toEqual([{ listing: { id: String(car) } }]);
});
