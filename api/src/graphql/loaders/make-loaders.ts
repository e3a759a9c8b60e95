import type { EntityManager } from '@mikro-orm/postgresql';
import type { Viewer } from '../../accounts/signed-in.ts';
import type { Pool } from '../../base/database.ts';
import { alertLoader, matchCountLoader } from './alert.ts';
import type { BatchLoader, Loader } from './batch.ts';
import { listingForBuyerLoader, listingLoader } from './listing.ts';
import { carOffersLoader, isOwnLoader, priceHistoryLoader } from './offers.ts';
import { offersFor } from './offers-for.ts';
import { handedOverLoader } from './receipt.ts';
import { sourceFiguresLoader } from './source-health.ts';

/** No user has this id: a visitor owns nothing. */
const NOBODY = 0;

/** Loaders that ask for whomever; what is a buyer's own is asked for with the buyer. */
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
    handedOver: handedOverLoader(pool),
    sourceFigures: sourceFiguresLoader(pool),
  };
}

/** Those of `SharedLoaders`, wherever the answers come from. */
export type AnyLoaders = {
  [Name in keyof SharedLoaders]: SharedLoaders[Name] extends BatchLoader<infer K, infer V> ? Loader<K, V> : never;
};

export type Loaders = ReturnType<typeof loadersFor>;

export const idOf = (viewer: Viewer | null): number => viewer?.id ?? NOBODY;

/** The same for one viewer. Viewers who share a batch are asked for together. */
export function loadersFor(viewer: Viewer | null, shared: AnyLoaders) {
  const userId = idOf(viewer);
  return {
    ...shared,
    alerts: { load: (id: number) => shared.alerts.load({ userId, id }) },
    listingsForBuyer: { load: (id: number) => shared.listingsForBuyer.load({ userId, id }) },
    offers: { load: (id: number) => offersFor(userId, id, shared) },
  };
}
