import { createStore } from './store.ts';

/** A match that arrived live, as far as lists with a choice need to know it. */
export interface Arrival {
  /** Counts up from 1. */
  number: number;
  alertId: string;
  listing: ArrivedListing;
}

export interface ArrivedListing {
  id: string;
  carId: string;
  isNew: boolean;
  saved: boolean;
  price: number | null;
  priceHistory: readonly { price: number | null; seenAt: string }[];
  priceBand: { rating: string | null } | null;
}

/** The last ones since the app was loaded, oldest first. */
export const liveArrivals = createStore<readonly Arrival[]>([]);
const MAX_KEPT = 200;

/** The number of the last arrival, 0 before the first one. */
export const lastArrival = (): number => liveArrivals.get().at(-1)?.number ?? 0;

/** @param came in their order */
export function noteArrivals(came: readonly Omit<Arrival, 'number'>[]): void {
  const last = lastArrival();
  const arrivals = came.map((one, at) => ({ ...one, number: last + 1 + at }));
  liveArrivals.set([...liveArrivals.get(), ...arrivals].slice(-MAX_KEPT));
}
