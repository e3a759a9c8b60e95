import type { FeedEvent } from '../../live/match-feed.ts';
import type { MatchRow } from '../../live/read-matches.ts';
import type { BatchLoader } from '../loaders/batch.ts';
import type { AnyLoaders, SharedLoaders } from '../loaders/make-loaders.ts';

type Name = keyof SharedLoaders;

/** What an event's row tells of the keys that its answer will ask for; null where it will not ask. */
const keysOf = {
  alerts: ({ alertId }, userId) => ({ userId, id: alertId }),
  matchCounts: ({ alertId }) => alertId,
  listings: ({ listingId }) => listingId,
  listingsForBuyer: ({ listingId }, userId) => ({ userId, id: listingId }),
  carOffers: ({ listingId }) => listingId,
  priceHistories: ({ listingId }) => listingId,
  handedOver: ({ alertId, listingId, isJustFound }) => (isJustFound ? null : { alertId, listingId }),
} satisfies { [One in Name]?: (row: MatchRow, userId: number) => Parameters<SharedLoaders[One]['load']>[0] | null };

/** Answers by loader and key. */
type Answers = Map<string, Map<string, unknown>>;

interface Moment {
  rows: { row: MatchRow; userId: number }[];
  loaders: Promise<AnyLoaders>;
}

/** Loaders for an event's answer, which have read ahead what it will ask them, together with all events of the moment. */
export type ReadAhead = (event: FeedEvent, userId: number) => Promise<AnyLoaders>;

/**
 * Reads ahead what answers of one operation ask for. Which loaders those are is seen at its first event; from then on
 * all events of a moment cost one statement a loader, and each of them runs without waiting.
 */
export function makeReadAhead(shared: SharedLoaders): ReadAhead {
  const asked = new Set<keyof typeof keysOf>();
  let moment: Moment | undefined;

  async function read(rows: Moment['rows']): Promise<Answers> {
    const answers: Answers = new Map();
    await Promise.all(
      [...asked].map(async (name) => {
        const loader = shared[name] as BatchLoader<unknown, unknown>;
        const keys = new Map<string, unknown>();
        for (const { row, userId } of rows) {
          const key = keysOf[name](row, userId);
          if (key !== null) keys.set(loader.textOf(key), key);
        }
        const found = keys.size > 0 ? await loader.read([...keys.values()]) : new Map<string, unknown>();
        // What was asked for and is not there is an answer too.
        answers.set(name, new Map([...keys.keys()].map((text) => [text, found.get(text)])));
      }),
    );
    return answers;
  }

  function answering(name: Name, answers: Map<string, unknown> | undefined) {
    const loader = shared[name] as BatchLoader<unknown, unknown>;
    return {
      load(key: unknown): unknown {
        if (name in keysOf) asked.add(name as keyof typeof keysOf);
        const text = answers && loader.textOf(key);
        return answers && text !== undefined && answers.has(text) ? answers.get(text) : loader.load(key);
      },
    };
  }

  const loadersOf = (answers: Answers): AnyLoaders => {
    const names = Object.keys(shared) as Name[];
    return Object.fromEntries(names.map((name) => [name, answering(name, answers.get(name))])) as AnyLoaders;
  };

  return ({ row }, userId) => {
    if (!moment) {
      const rows: Moment['rows'] = [];
      // The events of one turn come within one tick: they are all there when the next begins.
      const loaders = new Promise<void>((settle) => setImmediate(settle)).then(async () => {
        moment = undefined;
        return loadersOf(await read(rows));
      });
      moment = { rows, loaders };
    }
    moment.rows.push({ row, userId });
    return moment.loaders;
  };
}
