import type { FeedEvent } from '../../live/match-feed.ts';
import type { MatchRow } from '../../live/read-matches.ts';
import type { BatchLoader } from '../loaders/batch.ts';
import type { AnyLoaders, SharedLoaders } from '../loaders/make-loaders.ts';

type Name = keyof SharedLoaders;

/** What an event's row tells of the keys that its answer will ask for. */
const keysOf = {
  alerts: ({ alertId }, userId) => ({ userId, id: alertId }),
  matchCounts: ({ alertId }) => alertId,
  listings: ({ listingId }) => listingId,
  listingsForBuyer: ({ listingId }, userId) => ({ userId, id: listingId }),
  carOffers: ({ listingId }) => listingId,
  priceHistories: ({ listingId }) => listingId,
  handedOver: ({ alertId, listingId }) => ({ alertId, listingId }),
} satisfies { [One in Name]?: (row: MatchRow, userId: number) => Parameters<SharedLoaders[One]['load']>[0] };

/** Answers by loader and key. */
export type Answers = Map<string, Map<string, unknown>>;

interface Wanted {
  rows: { row: MatchRow; userId: number }[];
  answers: Promise<Answers>;
}

export interface ReadAhead {
  /** Asks for what the event's answer needs, together with all other events of the moment. */
  ask(event: FeedEvent, userId: number): Promise<Answers>;
  /** Loaders that answer at once from what `use` was given last, and else ask. */
  loaders: AnyLoaders;
  use(answers: Answers | undefined): void;
}

/**
 * Reads ahead what answers of one operation ask for. Which loaders those are is seen at its first event; from then on
 * all events of a moment cost one statement a loader, and each of them runs without waiting.
 */
export function makeReadAhead(shared: SharedLoaders): ReadAhead {
  const asked = new Set<keyof typeof keysOf>();
  let wanted: Wanted | undefined;
  let current: Answers | undefined;

  async function read(rows: Wanted['rows']): Promise<Answers> {
    const answers: Answers = new Map();
    await Promise.all(
      [...asked].map(async (name) => {
        const loader = shared[name] as BatchLoader<unknown, unknown>;
        const keys = new Map<string, unknown>();
        for (const { row, userId } of rows) {
          const key = keysOf[name](row, userId);
          keys.set(loader.textOf(key), key);
        }
        const found = await loader.read([...keys.values()]);
        // What was asked for and is not there is an answer too.
        answers.set(name, new Map([...keys.keys()].map((text) => [text, found.get(text)])));
      }),
    );
    return answers;
  }

  function heldLoader<K, V>(name: Name, loader: BatchLoader<K, V>): AnyLoaders[Name] {
    const isForeseen = name in keysOf;
    const load = (key: K): unknown => {
      if (isForeseen) asked.add(name as keyof typeof keysOf);
      const answers = current?.get(name);
      const text = answers && loader.textOf(key);
      return answers && text !== undefined && answers.has(text) ? answers.get(text) : loader.load(key);
    };
    return { load } as AnyLoaders[Name];
  }

  return {
    ask({ row }, userId) {
      if (!wanted) {
        const rows: Wanted['rows'] = [];
        // The events of one turn come within one tick: they are all there when the next begins.
        const answers = new Promise<void>((settle) => setImmediate(settle)).then(() => {
          wanted = undefined;
          return read(rows);
        });
        wanted = { rows, answers };
      }
      wanted.rows.push({ row, userId });
      return wanted.answers;
    },
    loaders: Object.fromEntries(
      Object.entries(shared).map(([name, loader]) => [
        name,
        heldLoader(name as Name, loader as BatchLoader<unknown, unknown>),
      ]),
    ) as AnyLoaders,
    use(answers) {
      current = answers;
    },
  };
}
