import type { EntityManager } from '@mikro-orm/postgresql';
import type { Viewer } from '../../accounts/signed-in.ts';
import type { Pool } from '../../base/database.ts';
import { alertLoader, matchCountLoader } from './alert.ts';
import { listingForBuyerLoader, listingLoader } from './listing.ts';
import { offersLoader, priceHistoryLoader } from './offers.ts';
import { handedOverLoader } from './receipt.ts';
import { sourceFiguresLoader } from './source-health.ts';

/** No user has this id: a visitor owns nothing. */
const NOBODY = 0;

export type Loaders = ReturnType<typeof makeLoaders>;

export function makeLoaders({ em, pool, viewer }: { em: EntityManager; pool: Pool; viewer: Viewer | null }) {
  const userId = viewer?.id ?? NOBODY;
  return {
    alerts: alertLoader(em, userId),
    matchCounts: matchCountLoader(pool),
    listings: listingLoader(em),
    listingsForBuyer: listingForBuyerLoader(pool, userId),
    offers: offersLoader(pool, userId),
    priceHistories: priceHistoryLoader(pool),
    handedOver: handedOverLoader(pool),
    sourceFigures: sourceFiguresLoader(pool),
  };
}
