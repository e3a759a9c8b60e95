import { colors } from '../../src/domain/catalogue.ts';
import type { TestAlert } from '../../test/matching/match-rows.ts';

const PAINTS = colors.map(({ value }) => value).slice(1, 11);
const STEPS = 15;
const PER_GROUP = 10;
const FIRST_YEAR = 2008;
const MIN_PRICE = 8_000;
const PASADENA = { latitude: 34.1478, longitude: -118.1445, reverse_geocode: { city: 'Pasadena', state: 'CA' } };

/** Subscribers whose alerts fit the same cars. */
export interface Group {
  color: string;
  /**
   * Alerts of a higher step ask for a newer car and allow a higher price, so a car at one step's year and price fits that
   * step alone.
   */
  step: number;
  members: number[];
}

/** Makes groups of ten subscribers, as long as there are colors and steps. */
export function makeGroups(subscribers: number): Group[] {
  const count = Math.min(PAINTS.length * STEPS, Math.ceil(subscribers / PER_GROUP));
  const groups = Array.from({ length: count }, (_, at): Group => {
    const color = PAINTS[at % PAINTS.length] ?? 'black';
    return { color, step: Math.floor(at / PAINTS.length), members: [] };
  });
  for (let subscriber = 0; subscriber < subscribers; subscriber += 1) {
    groups[subscriber % count]?.members.push(subscriber);
  }
  return groups;
}

const yearOf = (step: number) => FIRST_YEAR + step;
const priceOf = (step: number) => MIN_PRICE + 1_000 * step;

export function alertOf({ color, step }: Group): TestAlert {
  return {
    make: 'toyota',
    model: 'camry',
    yearMin: yearOf(step),
    yearMax: null,
    priceMin: null,
    priceMax: priceOf(step),
    color,
    onlyWithImages: false,
    lat: 34.05,
    lng: -118.24,
    radius: 50,
  };
}

/** Precedes the car's number in its addresses, by which a client recognises it. */
export const ID_PREFIX = 'live-';

function item(carNumber: number, year: number, price: number, color: string | null) {
  const photo = { image: { uri: `https://photos.example/${ID_PREFIX}${carNumber}.jpg`, width: 800, height: 600 } };
  return {
    id: `${ID_PREFIX}${carNumber}`,
    marketplace_listing_title: `${year} Toyota Camry SE`,
    listing_price: { amount: `${price}.00`, currency: 'USD' },
    location: PASADENA,
    primary_listing_photo: photo,
    listing_photos: [photo],
    creation_time: Math.floor(Date.now() / 1000),
    vehicle_condition: 'GOOD',
    vehicle_exterior_color: color,
    vehicle_transmission_type: 'AUTOMATIC',
    // So different that no two count as one car.
    vehicle_odometer_data: { unit: 'MILES', value: 3_000 + ((carNumber * 7_919) % 190_000) },
    is_live: true,
    is_pending: false,
    is_sold: false,
    url: `https://market.example/item/${ID_PREFIX}${carNumber}.html`,
  };
}

/** An item that fits the alerts of one group and of no other. */
export const itemForGroup = (carNumber: number, { color, step }: Group) =>
  item(carNumber, yearOf(step), priceOf(step) - (carNumber % 900), color);

/** An item that fits all alerts: young and cheap, of a color that is not stated. */
export const itemForAll = (carNumber: number) =>
  item(carNumber, yearOf(STEPS), MIN_PRICE - 500 - (carNumber % 100), null);
