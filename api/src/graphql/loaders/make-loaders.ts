import type { EntityManager } from '@mikro-orm/postgresql';
import type { Viewer } from '../../accounts/signed-in.ts';
import type { Pool } from '../../base/database.ts';
import { alertLoader, deliveryTimeLoader, matchCountLoader } from './alert.ts';
import type { BatchLoader, Loader } from './batch.ts';
import {
  carOffersLoader,
  isOwnLoader,
  listingForBuyerLoader,
  listingLoader,
  offersFor,
  priceHistoryLoader,
} from './listing.ts';
import { sourceFiguresLoader } from './source-health.ts';

/** The user id of a visitor: no user has it. */
const NOBODY = 0;

/** Loaders for all users; keys of what depends on the user contain the user. */
export type SharedLoaders = ReturnType<typeof makeSharedLoaders>;

export function makeSharedLoaders({ em, pool }: { em: EntityManager; pool: Pool }) {
  return {
    alerts: alertLoader(pool, em),
    matchCounts: matchCountLoader(pool),
    listings: listingLoader(pool, em),
    listingsForBuyer: listingForBuyerLoader(pool),
    carOffers: carOffersLoader(pool),
    isOwn: isOwnLoader(pool),
    priceHistories: priceHistoryLoader(pool),
    deliveryTimes: deliveryTimeLoader(pool),
    sourceFigures: sourceFiguresLoader(pool),
  };
}

/** The same loaders, whether they read the database or hold prefetched values. */
export type AnyLoaders = {
  [Name in keyof SharedLoaders]: SharedLoaders[Name] extends BatchLoader<infer K, infer V> ? Loader<K, V> : never;
};

export type Loaders = ReturnType<typeof loadersFor>;

export const idOf = (viewer: Viewer | null): number => viewer?.id ?? NOBODY;

/** The loaders for one viewer. Viewers who share `shared` share its batches. */
export function loadersFor(viewer: Viewer | null, shared: AnyLoaders) {
  const userId = idOf(viewer);
  return {
    ...shared,
    alerts: { load: (id: number) => shared.alerts.load({ userId, id }) },
    listingsForBuyer: { load: (id: number) => shared.listingsForBuyer.load({ userId, id }) },
    offers: { load: (id: number) => offersFor(userId, id, shared) },
  };
}
