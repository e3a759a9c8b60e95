import { createContext, useContext } from 'react';

/** False while live matches have no cursor to start from; lists fetched then could miss matches in between. */
export const LiveReady = createContext(true);

export function useLiveReady(): boolean {
  return useContext(LiveReady);
}
