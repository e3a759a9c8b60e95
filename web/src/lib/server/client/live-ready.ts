import { createContext, useContext } from 'react';

/** False while live matches have no place to start from; lists asked for then could miss what comes in between. */
export const LiveReady = createContext(true);

export function useLiveReady(): boolean {
  return useContext(LiveReady);
}
