import { createStore, useStore } from '../../state/store.ts';

/** `idle`: without subscriptions. `lost`: it was open or was tried, and is tried again. */
export type LiveConnection = 'idle' | 'connecting' | 'connected' | 'lost';

export const liveConnection = createStore<LiveConnection>('idle');

export function useLiveConnection(): LiveConnection {
  return useStore(liveConnection);
}

/** The last cursor of a viewer's live matches: after pages without live it continues from here. */
export const liveCursor = createStore<{ userId: string; cursor: string } | null>(null);
