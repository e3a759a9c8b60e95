import { andThen, type Loader, type MaybePromise, type OwnKey } from './batch.ts';
import type { CarOffer } from './offers.ts';

export interface OfferSeen extends Omit<CarOffer, 'id'> {
  id: number | null;
}

interface OfferLoaders {
  carOffers: Loader<number, CarOffer[]>;
  isOwn: Loader<OwnKey, true>;
}

/**
 * Where the car of a listing is offered, as one user may know it: a listing that is no match of his own is told while
 * it is for sale, by source, price and address only.
 */
export function offersFor(userId: number, listingId: number, loaders: OfferLoaders): MaybePromise<OfferSeen[]> {
  return andThen(loaders.carOffers.load(listingId), (offers = []): MaybePromise<OfferSeen[]> => {
    if (offers.every(({ isCurrent }) => isCurrent)) return offers;
    return knownOffers(offers, (id) => loaders.isOwn.load({ userId, id }));
  });
}

async function knownOffers(
  offers: readonly CarOffer[],
  isOwn: (id: number) => MaybePromise<true | undefined>,
): Promise<OfferSeen[]> {
  const known = await Promise.all(offers.map((offer) => offer.isCurrent || isOwn(offer.id)));
  return offers.flatMap((offer, at): OfferSeen[] => {
    if (known[at]) return [offer];
    return offer.status === 'for_sale' ? [{ ...offer, id: null, createdAt: null }] : [];
  });
}
