import { createContext, useContext } from 'react';
import { createStore, useStore } from '../../state/store.ts';

/** `idle`: without subscriptions. `lost`: the connection failed and is being retried. */
export type LiveConnection = 'idle' | 'connecting' | 'connected' | 'lost';

export const liveConnection = createStore<LiveConnection>('idle');

export function useLiveConnection(): LiveConnection {
  return useStore(liveConnection);
}

/** The last cursor of a viewer's live matches: after pages without live it continues from here. */
export const liveCursor = createStore<{ userId: string; cursor: string } | null>(null);

/** False while live matches have no cursor to start from; lists fetched then could miss matches in between. */
export const LiveReady = createContext(true);

export function useLiveReady(): boolean {
  return useContext(LiveReady);
}
