import type { OwnKey } from './batch.ts';
import type { CarOffer } from './offers.ts';

export interface OfferSeen extends Omit<CarOffer, 'id'> {
  id: number | null;
}

interface OfferLoaders {
  carOffers: { load(listingId: number): Promise<CarOffer[] | undefined> };
  isOwn: { load(key: OwnKey): Promise<true | undefined> };
}

/**
 * Where the car of a listing is offered, as one user may know it: a listing that is no match of his own is told while
 * it is for sale, by source, price and address only.
 */
export async function offersFor(userId: number, listingId: number, loaders: OfferLoaders): Promise<OfferSeen[]> {
  const offers = (await loaders.carOffers.load(listingId)) ?? [];
  const known = await Promise.all(
    offers.map((offer) => offer.isCurrent || loaders.isOwn.load({ userId, id: offer.id })),
  );
  return offers.flatMap((offer, at): OfferSeen[] => {
    if (known[at]) return [offer];
    return offer.status === 'for_sale' ? [{ ...offer, id: null, createdAt: null }] : [];
  });
}
