import { makeRandom } from '../../lab/random.ts';
import type { TestAlert, TestListing } from '../../test/matching/match-rows.ts';
import type { CarLog, CarState } from './journal.ts';

/** A car, and its details that the oracle does not judge. */
export interface Car extends CarLog {
  drawn: DrawnCar;
}

const carUrl = (externalId: string) => `https://cars.faults.example/${externalId}`;

/** A state of a car as an item of a marketplace. */
export function itemOf({ externalId, drawn }: Car, { facts, forSale }: CarState) {
  return {
    id: externalId,
    marketplace_listing_title: `${facts.year} ${drawn.words}`,
    ...(facts.price !== null && { listing_price: { amount: String(facts.price), currency: 'USD' } }),
    location: {
      latitude: facts.lat,
      longitude: facts.lng,
      reverse_geocode: { city: drawn.city.name, state: drawn.city.state },
    },
    vehicle_exterior_color: facts.color,
    vehicle_odometer_data: { unit: 'MILES', value: drawn.mileage },
    ...(facts.fuel && { vehicle_fuel_type: facts.fuel.toUpperCase() }),
    listing_photos: facts.imageUrl === null ? [] : [{ image: { uri: facts.imageUrl } }],
    url: carUrl(externalId),
    is_live: forSale,
    is_sold: !forSale,
  };
}

/** A state that was requested and is not acknowledged yet. */
export const requestedNow = (facts: CarState['facts'], forSale = true): CarState => ({
  facts,
  forSale,
  span: { begun: Date.now(), done: Number.POSITIVE_INFINITY },
});

export interface City {
  name: string;
  state: string;
  lat: number;
  lng: number;
}

/** Cities far from each other, so that a radius includes the cars of one. Source: the places of `api/data/geo`. */
export const cities: readonly City[] = [
  { name: 'Boise', state: 'ID', lat: 43.60033, lng: -116.23097 },
  { name: 'Reno', state: 'NV', lat: 39.52963, lng: -119.8138 },
  { name: 'Tulsa', state: 'OK', lat: 36.15398, lng: -95.99277 },
  { name: 'Omaha', state: 'NE', lat: 41.25861, lng: -95.93779 },
  { name: 'Spokane', state: 'WA', lat: 47.65878, lng: -117.42605 },
  { name: 'Billings', state: 'MT', lat: 45.78329, lng: -108.50069 },
];

export const models = [
  { make: 'mazda', model: 'mazda3', words: 'Mazda Mazda3' },
  { make: 'mazda', model: 'cx-5', words: 'Mazda CX-5' },
  { make: 'toyota', model: 'corolla', words: 'Toyota Corolla' },
  { make: 'toyota', model: 'camry', words: 'Toyota Camry' },
  { make: 'honda', model: 'civic', words: 'Honda Civic' },
  { make: 'honda', model: 'accord', words: 'Honda Accord' },
] as const;

const colors = ['black', 'white', 'red'] as const;
const fuels = ['gas', 'hybrid', 'diesel'] as const;
/** What sellers add to a title, most of them nothing. */
const extras = ['', '', '', ' one owner', ' runs great', ' new tires, ONE-OWNER'] as const;
const radii = [5, 10, 25, 50, 100] as const;
/** In miles from the city's centre, none near the border of a radius. */
const distances = [0, 2, 7.5, 17, 38, 75] as const;
const MILES_PER_DEGREE = 69.09;

interface DrawnCar {
  city: City;
  words: string;
  facts: TestListing;
  mileage: number;
}

/**
 * The band of a pushed car, which a trigger gives it in place of a model of prices (`setBands`). About half of the prices are
 * below it.
 */
export function bandOf(year: number): { bandLow: number; bandMiddle: number; bandHigh: number } {
  const middle = 8_000 + 1_000 * (year - 2_006);
  return { bandLow: middle * 0.8, bandMiddle: middle, bandHigh: middle * 1.25 };
}

/** The same draws from the same seed. */
export function makeDraw(seed: number) {
  const random = makeRandom(seed);
  const pick = <T>(list: readonly [T, ...T[]] | readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const whole = (from: number, to: number) => from + Math.floor(random() * (to - from + 1));
  const maybe = <T>(chance: number, draw: () => T): T | null => (random() < chance ? draw() : null);
  const alike = new Map<string, number>();

  /** One of the further filters of an alert. */
  function filter(make: string): Partial<TestAlert> {
    const own = models.filter((one) => one.make === make);
    const other = pick(models);
    return pick<Partial<TestAlert>>([
      // Cars begin with 190,000 miles.
      { mileageMax: pick([185_000, 188_000, 189_300]) },
      { fuel: pick(fuels) },
      { models: [pick(own).model, `${other.make}/${other.model}`] },
      { excludeWords: ['one owner'] },
      { excludeWords: ['new tires', 'runs great'] },
      { requireWords: ['one owner'] },
      { priceStated: true },
      { priceStated: false, priceMax: whole(24, 40) * 500 },
      { belowFairPrice: true },
    ]);
  }

  function alert(): { city: City; criteria: TestAlert } {
    const city = pick(cities);
    const { make, model } = pick(models);
    const criteria: TestAlert = {
      make,
      model: maybe(0.4, () => model),
      yearMin: maybe(0.3, () => whole(2009, 2014)),
      yearMax: maybe(0.15, () => whole(2017, 2020)),
      priceMin: null,
      priceMax: maybe(0.4, () => whole(18, 40) * 500),
      color: maybe(0.15, () => pick(colors)),
      onlyWithImages: random() < 0.3,
      lat: city.lat,
      lng: city.lng,
      radius: pick(radii.slice(1)),
      ...(random() < 0.35 && filter(make)),
    };
    return { city, criteria };
  }

  /** Of similar cars each has fewer miles than the one before, so that no two of one source count as one car. */
  function drive(key: string): number {
    const mileage = (alike.get(key) ?? 190_000 + whole(1, 900)) - 1_507;
    alike.set(key, mileage);
    return mileage;
  }

  function car(): DrawnCar {
    const city = pick(cities);
    const { make, model, ...named } = pick(models);
    const words = named.words + pick(extras);
    const year = whole(2006, 2021);
    const north = (pick(distances) * pick([1, -1])) / MILES_PER_DEGREE;
    const mileage = drive(`${city.name} ${model} ${year}`);
    const facts: TestListing = {
      title: `${year} ${words}`,
      make,
      model,
      year,
      price: random() < 0.92 ? whole(16, 50) * 500 : null,
      color: maybe(0.7, () => pick(colors)),
      imageUrl: maybe(0.85, () => 'https://photos.faults.example/1.jpg'),
      lat: Number((city.lat + north).toFixed(5)),
      lng: city.lng,
      mileage,
      fuel: maybe(0.6, () => pick(fuels)),
      ...bandOf(year),
    };
    return { city, words, facts, mileage };
  }

  return { random, pick, whole, filter, alert, car };
}

export type Draw = ReturnType<typeof makeDraw>;
