import type { EntityManager } from '@mikro-orm/postgresql';
import type { Pool } from '../../base/database.ts';
import type { MarketTime } from '../../domain/same-car/market-time.ts';
import { Listing } from '../../entities/listing.ts';
import { type CarOffer, type PriceSeen, readCarOffers, readPriceHistories } from '../../listings/car-offers.ts';
import { type ListingForBuyer, readListingsForBuyers, readMatchedListings } from '../../listings/listing-for-buyer.ts';
import { readListingNotes } from '../../listings/listing-notes.ts';
import { readMarketTimes } from '../../listings/market-times.ts';
import {
  andThen,
  asEntities,
  batch,
  columnsOf,
  type Loader,
  type MaybePromise,
  type UserKey,
  userKeyText,
} from './batch.ts';

export function listingLoader(pool: Pool, em: EntityManager) {
  const text = `select ${columnsOf(em, Listing, 'l')} from listings l where l.id = any($1::int8[])`;
  return batch<number, Listing>(async (ids) => {
    const { rows } = await pool.query<object>({ name: 'load-listings', text, values: [ids] });
    return new Map(asEntities(Listing, rows).map((listing) => [String(listing.id), listing]));
  });
}

export const listingForBuyerLoader = (pool: Pool) =>
  batch<UserKey, ListingForBuyer>(async (keys) => {
    const rows = await readListingsForBuyers(pool, keys);
    return new Map(rows.map((row) => [userKeyText(row), row]));
  }, userKeyText);

/** The users' own notes about the cars of listings. */
export const listingNoteLoader = (pool: Pool) =>
  batch<UserKey, string>(async (keys) => {
    const notes = await readListingNotes(pool, keys);
    return new Map(notes.map(({ note, ...key }) => [userKeyText(key), note]));
  }, userKeyText);

/** Whether a listing is a match of the user's. */
export const isOwnLoader = (pool: Pool) =>
  batch<UserKey, true>(async (keys) => {
    const own = await readMatchedListings(pool, keys);
    return new Map(own.map((key) => [userKeyText(key), true]));
  }, userKeyText);

export const carOffersLoader = (pool: Pool) => batch<number, CarOffer[]>((ids) => readCarOffers(pool, ids));

export const priceHistoryLoader = (pool: Pool) => batch<number, PriceSeen[]>((ids) => readPriceHistories(pool, ids));

export const marketTimeLoader = (pool: Pool) => batch<number, MarketTime>((ids) => readMarketTimes(pool, ids));

interface OfferSeen extends Omit<CarOffer, 'id'> {
  id: number | null;
}

interface OfferLoaders {
  carOffers: Loader<number, CarOffer[]>;
  isOwn: Loader<UserKey, true>;
}

/**
 * The offers of a listing's car that one user may see. A listing that is none of the user's matches is included only
 * while it is for sale, without its number and date.
 */
export function offersFor(userId: number, listingId: number, loaders: OfferLoaders): MaybePromise<OfferSeen[]> {
  return andThen(loaders.carOffers.load(listingId), (offers = []): MaybePromise<OfferSeen[]> => {
    if (offers.every(({ isCurrent }) => isCurrent)) return offers;
    return visibleOffers(offers, (id) => loaders.isOwn.load({ userId, id }));
  });
}

async function visibleOffers(
  offers: readonly CarOffer[],
  isOwn: (id: number) => MaybePromise<true | undefined>,
): Promise<OfferSeen[]> {
  const isVisible = await Promise.all(offers.map((offer) => offer.isCurrent || isOwn(offer.id)));
  return offers.flatMap((offer, at): OfferSeen[] => {
    if (isVisible[at]) return [offer];
    return offer.status === 'for_sale' ? [{ ...offer, id: null, createdAt: null }] : [];
  });
}
