import type { FeedEvent } from '../../live/match-feed.ts';
import type { MatchRow } from '../../live/read-matches.ts';
import type { BatchLoader } from '../loaders/batch.ts';
import type { AnyLoaders, SharedLoaders } from '../loaders/make-loaders.ts';

type Name = keyof SharedLoaders;

/** The key that the result of an event will load, by loader; null where nothing will be loaded. */
const keysOf = {
  alerts: ({ alertId }, userId) => ({ userId, id: alertId }),
  matchCounts: ({ alertId }, userId) => ({ userId, id: alertId }),
  newCounts: ({ alertId }, userId) => ({ userId, id: alertId }),
  listings: ({ listingId }) => listingId,
  listingsForBuyer: ({ listingId }, userId) => ({ userId, id: listingId }),
  listingNotes: ({ listingId }, userId) => ({ userId, id: listingId }),
  carOffers: ({ listingId }) => listingId,
  priceHistories: ({ listingId }) => listingId,
  marketTimes: ({ listingId }) => listingId,
  deliveryTimes: ({ alertId, listingId, isJustFound }, userId) => (isJustFound ? null : { userId, alertId, listingId }),
} satisfies { [One in Name]?: (row: MatchRow, userId: number) => Parameters<SharedLoaders[One]['load']>[0] | null };

/** Loaded values by loader and key. */
type Values = Map<string, Map<string, unknown>>;

interface Batch {
  rows: { row: MatchRow; userId: number }[];
  loaders: Promise<AnyLoaders>;
}

/** Returns loaders that already hold what the result of an event needs, loaded together for all events of the batch. */
export type Prefetch = (event: FeedEvent, userId: number) => Promise<AnyLoaders>;

/**
 * Prefetches the data of one operation. Its first event shows which loaders it uses; from then on all events that come
 * together cost one statement a loader, and each result is computed without waiting.
 */
export function makePrefetch(shared: SharedLoaders): Prefetch {
  const used = new Set<keyof typeof keysOf>();
  let batch: Batch | undefined;

  async function read(rows: Batch['rows']): Promise<Values> {
    const values: Values = new Map();
    await Promise.all(
      [...used].map(async (name) => {
        const loader = shared[name] as BatchLoader<unknown, unknown>;
        const keys = new Map<string, unknown>();
        for (const { row, userId } of rows) {
          const key = keysOf[name](row, userId);
          if (key !== null) keys.set(loader.textOf(key), key);
        }
        const found = keys.size > 0 ? await loader.read([...keys.values()]) : new Map<string, unknown>();
        // A key without a row is stored too, as undefined.
        values.set(name, new Map([...keys.keys()].map((text) => [text, found.get(text)])));
      }),
    );
    return values;
  }

  function loaderWith(name: Name, values: Map<string, unknown> | undefined) {
    const loader = shared[name] as BatchLoader<unknown, unknown>;
    return {
      load(key: unknown): unknown {
        if (name in keysOf) used.add(name as keyof typeof keysOf);
        const text = values && loader.textOf(key);
        return values && text !== undefined && values.has(text) ? values.get(text) : loader.load(key);
      },
    };
  }

  const loadersOf = (values: Values): AnyLoaders => {
    const names = Object.keys(shared) as Name[];
    return Object.fromEntries(names.map((name) => [name, loaderWith(name, values.get(name))])) as AnyLoaders;
  };

  return ({ row }, userId) => {
    if (!batch) {
      const rows: Batch['rows'] = [];
      // Events that belong together arrive within one tick of the event loop.
      const loaders = new Promise<void>((resolve) => setImmediate(resolve)).then(async () => {
        batch = undefined;
        return loadersOf(await read(rows));
      });
      batch = { rows, loaders };
    }
    batch.rows.push({ row, userId });
    return batch.loaders;
  };
}
