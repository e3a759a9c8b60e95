import { createStore, useStore } from '../../state/store.ts';

/** `idle`: nobody listens. `lost`: it was up or was tried, and is being tried again. */
export type LiveConnection = 'idle' | 'connecting' | 'connected' | 'lost';

export const liveConnection = createStore<LiveConnection>('idle');

export function useLiveConnection(): LiveConnection {
  return useStore(liveConnection);
}

/** How far live has come for whom: pages without live lie in between, and it goes on from here. */
export const liveCursor = createStore<{ userId: string; cursor: string } | null>(null);
