import type { ListingFacts } from '../../src/domain/facts/listing-facts.ts';
import { matchPendingAlerts } from '../../src/matching/match-alerts.ts';
import { matchPendingListings } from '../../src/matching/match-listings.ts';
import { buildFacts, storePage, untilMatchesVisible } from '../factories.ts';
import type { TestApi } from '../make-app.ts';
import { makeDealer, makeWebhook } from '../webhooks/dealer.ts';
import {
  liveByCursor,
  liveSubscription,
  matchExport,
  matchLog,
  type Place,
  pageThenLive,
  type Reader,
  readPage,
  webhookEvents,
} from './readers.ts';

/** A dealer with an alert for Camrys up to $20,000, and every kind of client that reads its matches by cursor. */
export interface ReadingWorld {
  place: Place;
  alertId: number;
  readers: Reader[];
  /** The listings that each reader has received, by its name. */
  got: Map<string, number[]>;
  /** Stores a Camry, or a new price of a known one. It is not matched yet. */
  list(price: number, known?: string): Promise<Car>;
  /** Matches all pending listings. */
  matchListings(): Promise<void>;
  /** Matches all pending listings, and lets every reader catch up. */
  matchAndRead(): Promise<void>;
  /** Gives a car one price after the other, and matches it and lets every reader catch up after each. */
  matchAtPrices(car: Car, ...prices: number[]): Promise<void>;
  /** Backfills all pending alerts. */
  backfill(): Promise<void>;
  /** Lets every reader catch up before the backfill and after it. */
  readAroundBackfill(): Promise<void>;
  edit(patch: Record<string, unknown>): Promise<void>;
  /** Adds a match of another alert, and lets every reader read up to it, so that none misses what came before. */
  catchUp(): Promise<void>;
  page(): Promise<number[]>;
  /** Resolves when the reader with the open subscription has received the car. */
  untilSeenLive(car: Car): Promise<void>;
  end(): Promise<void>;
}

export interface Car {
  id: number;
  externalId: string;
}

/** A car that only the dealer's other alert matches. */
const rio = { title: '2018 Kia Rio', make: 'kia', model: 'rio' };

export async function makeReadingWorld(api: TestApi): Promise<ReadingWorld> {
  const { pool } = api.db;
  const dealer = await makeDealer(api, { priceMax: 20_000 });
  const { browser, alertId } = dealer;
  const place = { api, browser };
  await browser.createAlert({ make: 'kia', model: 'rio' });
  const backfill = async () => {
    while ((await matchPendingAlerts(pool)) > 0);
  };
  const matchListings = async () => {
    while ((await matchPendingListings(pool)) > 0);
  };
  await backfill();
  const webhook = webhookEvents(await makeWebhook(dealer, ['match.created']));
  const open = liveSubscription();
  const readers = [liveByCursor(), open, pageThenLive(), matchLog(), matchExport(), webhook];
  const got = new Map(readers.map(({ name }) => [name, [] as number[]]));

  async function store(facts: ListingFacts): Promise<Car> {
    const { results } = await storePage(pool, 'test', [facts]);
    return { id: results[0]?.listingId ?? 0, externalId: facts.externalId };
  }

  const world: ReadingWorld = {
    place,
    alertId,
    readers,
    got,
    matchListings,
    backfill,
    list: (price, known) => store(buildFacts({ price, ...(known && { externalId: known }) })),
    async edit(patch) {
      const { errors } = await world.place.browser.gql(
        'mutation ($id: ID!, $patch: AlertPatch!) { updateAlert(id: $id, input: $patch) { id } }',
        { id: alertId, patch },
      );
      if (errors[0]) throw new Error(errors[0].message);
    },
    async catchUp() {
      const { id } = await store(buildFacts(rio));
      await matchListings();
      await untilMatchesVisible(pool);
      for (const reader of readers) got.get(reader.name)?.push(...(await reader.read(world.place, id)));
    },
    async matchAndRead() {
      await matchListings();
      await world.catchUp();
    },
    async matchAtPrices({ externalId }, ...prices) {
      for (const price of prices) {
        await world.list(price, externalId);
        await world.matchAndRead();
      }
    },
    async readAroundBackfill() {
      await world.catchUp();
      await backfill();
      await world.catchUp();
    },
    page: () => readPage(world.place, alertId),
    untilSeenLive: ({ id }) => open.has(id),
    async end() {
      for (const reader of readers) await reader.end();
    },
  };
  await untilMatchesVisible(pool);
  for (const reader of readers) await reader.begin(place);
  return world;
}
