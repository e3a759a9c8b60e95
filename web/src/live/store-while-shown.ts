import type { ApolloClient } from '@apollo/client';
import { whenReachable } from '../lib/server/client/chunk-errors.ts';
import { startWorker } from '../lib/server/offline/start-worker.ts';
import { startOffline } from '../lib/server/offline/store-shown.ts';
import { newCarCount } from '../lib/state/new-cars.ts';
import { callKey, keptShown } from '../lib/state/offline.ts';
import { evictHiddenLists } from './start-live.ts';

/** Between two times that everything is fetched again, where a call still fails. */
const AGAIN_AFTER_MS = 3_000;

/**
 * Stores what the pages show, so that they can be read offline, and fetches it again once the server answers.
 * @param cursor where live updates are; undefined before they run
 * @returns a function that ends it
 */
export function storeWhileShown(client: ApolloClient, userId: string, cursor: () => string | undefined): () => void {
  let stopProbing: (() => void) | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  startWorker();
  const place = () => {
    const at = cursor();
    return at === undefined ? null : { cursor: at, newCount: newCarCount.get() ?? 0 };
  };
  const stop = startOffline(client, userId, place);

  async function refetch(): Promise<void> {
    // A query that fails again shows it, or what was stored.
    await client.refetchQueries({ include: 'active' }).catch(() => undefined);
    if (isOver) return;
    evictUnshown(client);
    timer = setTimeout(() => {
      stopProbing = undefined;
      probe();
    }, AGAIN_AFTER_MS);
  }
  const probe = () => {
    if (keptShown.get().size > 0) stopProbing ??= whenReachable(() => void refetch());
  };
  probe();
  const stopWatching = keptShown.subscribe(probe);
  return () => {
    isOver = true;
    clearTimeout(timer);
    stop();
    stopProbing?.();
    stopWatching();
  };
}

/** By which field of the query a page would find what it shows in the cache. */
const fieldOf: Readonly<Record<string, string>> = { MyAlerts: 'alerts', AlertPage: 'pushSubscriptions' };

/** Evicts what was stored and is on no page now, so that its page fetches it when it is opened. */
function evictUnshown(client: ApolloClient): void {
  const active = [...client.getObservableQueries('active')];
  const keys = new Set(active.map(({ queryName = '', variables }) => callKey(queryName, variables)));
  const names = new Set(active.map(({ queryName }) => queryName));
  const unshown = [...keptShown.get().keys()].filter((key) => !keys.has(key));
  if (unshown.length === 0) return;
  evictHiddenLists(client);
  for (const key of unshown) {
    const name = key.slice(0, key.indexOf(' '));
    const fieldName = fieldOf[name];
    if (fieldName && !names.has(name)) client.cache.evict({ id: 'ROOT_QUERY', fieldName });
  }
  keptShown.set(new Map([...keptShown.get()].filter(([key]) => keys.has(key))));
}
