import { pairOf } from '../oracle/judge-matches.ts';

export interface Delivery {
  pair: string;
  /** When we had it, in milliseconds since 1970. */
  at: number;
}

/** Somebody who reads a buyer's matches on from a cursor for as long as the run lasts. */
export interface CursorReader {
  name: string;
  /** The buyer's address. */
  owner: string;
  deliveries: Delivery[];
  /** When it was told that its cursor is good no more, and began anew from the first match. */
  anew: number[];
  /** How often it had to ask again or to connect again. */
  disconnects: number;
  stop(): Promise<void>;
}

/** A line of the log of matches, and what the live feed tells. */
export interface MatchLine {
  cursor: string;
  match: { alertId: string | number; listing: { url: string } };
}

export const matchLine = 'cursor match { alertId listing { url } }';

/** The car's name in the run is the end of its address. */
export const carOf = (url: string): string => url.split('/').at(-1) ?? '';

export const pairOfLine = ({ match: { alertId, listing } }: Pick<MatchLine, 'match'>): string =>
  pairOf(carOf(listing.url), Number(alertId));
