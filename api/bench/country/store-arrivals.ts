import { setTimeout as sleep } from 'node:timers/promises';
import { progress } from '../../lab/command-line.ts';
import type { Pool } from '../../src/base/database.ts';
import type { ListingFacts } from '../../src/domain/facts/listing-facts.ts';
import { storeListings } from '../../src/intake/store-listings.ts';
import { buildFacts } from '../../test/factories.ts';
import type { TestListing } from '../../test/matching/match-rows.ts';
import type { NarrowMarket } from './narrow-market.ts';
import { type Arrival, LISTINGS_A_PAGE } from './plan.ts';

/** Pages that are stored at the same time, as from as many sources. */
const QUEUES = 4;
const POLL_MS = 200;
const PROGRESS_EVERY_MS = 30_000;

export interface BurstTime {
  listings: number;
  /** From its first listing's time to its last one's. */
  seconds: number;
  /** From its last listing's time until all of it is matched. */
  backlogSeconds: number;
}

interface Arrived {
  listings: Map<number, TestListing>;
  bursts: BurstTime[];
}

interface Watch {
  onStored(listingIds: readonly number[], dueAt: number, arrival: Arrival): void;
  /** Called when a burst begins, and when its last listing is matched. */
  onBacklog(is: boolean): void;
}

function factsOf(listing: TestListing, number: number): ListingFacts {
  const { imageUrl, mileage, title = '', bandLow: _low, bandMiddle: _middle, bandHigh: _high, ...facts } = listing;
  return buildFacts({
    ...facts,
    title,
    transmission: facts.transmission ?? null,
    externalId: `country-${number}`,
    mileageMiles: mileage ?? null,
    images: imageUrl === null ? [] : [`https://photos.example/${number}.jpg`],
    url: `https://marketplace.example/${number}`,
    listedAt: new Date(),
  });
}

/** Stores each page when it is due, or as soon as a queue is free. Resolves when all of them are stored and the bursts matched. */
export async function storeArrivals(
  pool: Pool,
  market: NarrowMarket,
  arrivals: readonly Arrival[],
  { onStored, onBacklog }: Watch,
): Promise<Arrived> {
  const listings = new Map<number, TestListing>();
  const queues: Promise<void>[] = Array.from({ length: QUEUES }, () => Promise.resolve());
  const bursts: Promise<BurstTime>[] = [];
  const stored = new Map<number, { pages: Promise<number>[]; firstMs: number; lastMs: number }>();
  const began = performance.now();
  let number = 0;
  let toldAt = began;

  async function store(arrival: Arrival): Promise<number> {
    const page = Array.from({ length: LISTINGS_A_PAGE }, market.listing);
    const records = page.map((listing) => {
      number += 1;
      return { facts: factsOf(listing, number) };
    });
    const { results } = await storeListings(pool, 'country', records, { announce: true });
    const ids = results.map(({ listingId }) => listingId ?? 0);
    for (const [at, listing] of page.entries()) listings.set(ids[at] ?? 0, listing);
    onStored(ids, began + arrival.atMs, arrival);
    return Math.max(...ids);
  }

  async function watchBurst({ pages, firstMs, lastMs }: { pages: Promise<number>[]; firstMs: number; lastMs: number }) {
    const last = Math.max(...(await Promise.all(pages)));
    while (
      ((await pool.query('select from listings_to_match where listing_id <= $1 limit 1', [last])).rowCount ?? 0) > 0
    ) {
      await sleep(POLL_MS);
    }
    const backlogSeconds = Math.max(0, performance.now() - began - lastMs) / 1_000;
    onBacklog(false);
    progress(`A burst is matched ${backlogSeconds.toFixed(1)} s after its end`);
    return { listings: pages.length * LISTINGS_A_PAGE, seconds: (lastMs - firstMs) / 1_000, backlogSeconds };
  }

  for (const [at, arrival] of arrivals.entries()) {
    await sleep(Math.max(0, began + arrival.atMs - performance.now()));
    const page = (queues[at % QUEUES] ?? Promise.resolve()).then(() => store(arrival));
    queues[at % QUEUES] = page.then(() => undefined);
    page.catch(() => {});
    if (arrival.burst !== null) {
      const burst = stored.get(arrival.burst) ?? { pages: [], firstMs: arrival.atMs, lastMs: 0 };
      if (burst.pages.length === 0) onBacklog(true);
      burst.pages.push(page);
      burst.lastMs = arrival.atMs;
      stored.set(arrival.burst, burst);
      if (arrivals[at + 1]?.burst !== arrival.burst) bursts.push(watchBurst(burst));
    }
    if (performance.now() - toldAt > PROGRESS_EVERY_MS) {
      toldAt = performance.now();
      progress(`${listings.size} listings are stored after ${Math.round((toldAt - began) / 1_000)} s`);
    }
  }
  await Promise.all(queues);
  return { listings, bursts: await Promise.all(bursts) };
}
