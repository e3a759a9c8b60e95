import type { DrawnCar } from './draw.ts';
import type { CarLog, CarState } from './journal.ts';

/** A car of ours, and what is said of it beside what the oracle judges. */
export interface Car extends CarLog {
  drawn: DrawnCar;
}

export const carUrl = (externalId: string) => `https://cars.faults.example/${externalId}`;

/** A state of a car as a marketplace's list has it. */
export function itemOf({ externalId, drawn }: Car, { facts, forSale }: CarState) {
  return {
    id: externalId,
    marketplace_listing_title: `${facts.year} ${drawn.words}`,
    listing_price: { amount: String(facts.price), currency: 'USD' },
    location: {
      latitude: facts.lat,
      longitude: facts.lng,
      reverse_geocode: { city: drawn.city.name, state: drawn.city.state },
    },
    vehicle_exterior_color: facts.color,
    vehicle_odometer_data: { unit: 'MILES', value: drawn.mileage },
    listing_photos: facts.imageUrl === null ? [] : [{ image: { uri: facts.imageUrl } }],
    url: carUrl(externalId),
    is_live: forSale,
    is_sold: !forSale,
  };
}

/** A state that has been asked for and not been acknowledged yet. */
export const askedNow = (facts: CarState['facts'], forSale = true): CarState => ({
  facts,
  forSale,
  span: { begun: Date.now(), done: Number.POSITIVE_INFINITY },
});
