import type { ListingFacts } from '../../src/domain/facts/listing-facts.ts';
import { matchPendingAlerts } from '../../src/matching/match-alerts.ts';
import { matchPendingListings } from '../../src/matching/match-listings.ts';
import { buildFacts } from '../factories.ts';
import type { TestApi } from '../make-app.ts';
import { storePage } from '../store-page.ts';
import { makeDealer, makeWebhook, untilSettled } from '../webhooks/dealer.ts';
import {
  liveByCursor,
  liveOpen,
  matchExport,
  matchLog,
  type Place,
  pageThenLive,
  type Reader,
  readPage,
  webhookEvents,
} from './readers.ts';

/** What there is: a dealer with an alert for Camrys up to $20,000, and everyone who reads its matches on by cursor. */
export interface ReadingWorld {
  place: Place;
  alertId: number;
  readers: Reader[];
  /** What each has got by now, by name. */
  got: Map<string, number[]>;
  /** Stores a Camry at this price, or another price of one that is there; its search is not yet run. */
  list(price: number, known?: string): Promise<Car>;
  /** Runs the searches of all listings that wait. */
  matchListings(): Promise<void>;
  /** Runs the look-backs of all alerts that wait. */
  lookBack(): Promise<void>;
  edit(patch: Record<string, unknown>): Promise<void>;
  /** Everybody reads on, up to a match of another alert that comes now: so they pass all that is before. */
  readOn(): Promise<void>;
  page(): Promise<number[]>;
  /** Settles when the reader that is never behind has got it. */
  heardLive(car: Car): Promise<void>;
  end(): Promise<void>;
}

export interface Car {
  id: number;
  externalId: string;
}

/** Cars that only the dealer's other alert asks for. */
const rio = { title: '2018 Kia Rio', make: 'kia', model: 'rio' };

export async function makeReadingWorld(api: TestApi): Promise<ReadingWorld> {
  const { pool } = api.db;
  const dealer = await makeDealer(api, { priceMax: 20_000 });
  const { browser, alertId } = dealer;
  const place = { api, browser };
  const made = await browser.gql('mutation ($input: AlertInput!) { createAlert(input: $input) { id } }', {
    input: { make: 'kia', model: 'rio', location: 'Los Angeles, CA', radius: 50 },
  });
  if (made.errors[0]) throw new Error(made.errors[0].message);
  const lookBack = async () => {
    while ((await matchPendingAlerts(pool)) > 0);
  };
  const matchListings = async () => {
    while ((await matchPendingListings(pool)) > 0);
  };
  await lookBack();
  const webhook = webhookEvents(await makeWebhook(dealer, ['match.created']));
  const open = liveOpen();
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
    lookBack,
    list: (price, known) => store(buildFacts({ price, ...(known && { externalId: known }) })),
    async edit(patch) {
      const { errors } = await world.place.browser.gql(
        'mutation ($id: ID!, $patch: AlertPatch!) { updateAlert(id: $id, input: $patch) { id } }',
        { id: alertId, patch },
      );
      if (errors[0]) throw new Error(errors[0].message);
    },
    async readOn() {
      const { id } = await store(buildFacts(rio));
      await matchListings();
      await untilSettled(world.place.api);
      for (const reader of readers) got.get(reader.name)?.push(...(await reader.read(world.place, id)));
    },
    page: () => readPage(world.place, alertId),
    heardLive: ({ id }) => open.has(id),
    async end() {
      for (const reader of readers) await reader.end();
    },
  };
  await untilSettled(api);
  for (const reader of readers) await reader.begin(place);
  return world;
}
