import { Dice } from '../../demo/random.ts';
import { readDataFile } from '../../src/base/data-folder.ts';
import { makes as makeOptions, modelsOf } from '../../src/domain/catalogue.ts';
import type { TestAlert, TestListing } from '../../test/matching/match-rows.ts';

export interface Market {
  alert(): TestAlert;
  /** The same alert with one to three filters, as buyers have them: mileage and title status most of all. */
  filtered(alert: TestAlert): TestAlert;
  /** The same listing with the facts that filters are about, as sellers state them. */
  stated(listing: TestListing): TestListing;
  listing(): TestListing;
}

type Weighted<T> = { values: readonly T[]; upTo: Float64Array };

/** The most popular makes come first; the others follow in the catalogue's order. */
const LEADING = ['toyota', 'ford', 'chevrolet', 'honda', 'nissan', 'jeep', 'hyundai', 'bmw', 'kia', 'ram'];
const MAKE_SKEW = 0.88;
const MODEL_SKEW = 1.35;
/** Above 1, as cars are sold and searched in cities more than their population suggests. */
const CITY_SKEW = 1.12;
const RADII = [50, 50, 50, 50, 50, 50, 50, 50, 50, 50, 25, 25, 25, 25, 100, 100, 10, 10, 10, 5] as const;
const COLORS = ['black', 'white', 'silver', 'gray', 'blue', 'red', 'green', 'other'] as const;
const NEWEST_YEAR = 2026;
const NO_PRICE_BOUND = 0.12;

function weighted<T>(values: readonly T[], weight: (value: T, index: number) => number): Weighted<T> {
  let sum = 0;
  return { values, upTo: Float64Array.from(values, (value, index) => (sum += weight(value, index))) };
}

function draw<T>(dice: Dice, { values, upTo }: Weighted<T>): T {
  const aim = dice.next() * (upTo.at(-1) ?? 0);
  let low = 0;
  let high = values.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((upTo[middle] ?? 0) <= aim) low = middle + 1;
    else high = middle;
  }
  return values[low] as T;
}

const zipf = (skew: number) => (_value: unknown, index: number) => 1 / (index + 1) ** skew;

function readPlaces(): Weighted<{ lat: number; lng: number; population: number }> {
  const places = readDataFile('geo/us-places.csv')
    .split('\n')
    .slice(1)
    .flatMap((line) => {
      const [, , lat, lng, population, , , kind] = line.split(',');
      return Number(population) > 0 && kind?.trim() === 'place'
        ? [{ lat: Number(lat), lng: Number(lng), population: Number(population) }]
        : [];
    });
  return weighted(places, ({ population }) => population ** CITY_SKEW);
}

/** Year and price of a car: new cars are expensive and few; most are 3 to 15 years old. */
export function drawCar(dice: Dice): { year: number; price: number } {
  const age = Math.floor(20 * dice.next() ** 1.4);
  const price = Math.round((45_000 * 0.9 ** age * (0.5 + dice.next())) / 50) * 50;
  return { year: NEWEST_YEAR - age, price: Math.max(800, price) };
}

/**
 * Alerts and listings of one country, skewed as its people are: places by population, makes and models by Zipf,
 * radius mostly 50 miles. A listing fits about 172 of a million alerts, one in a hundred fits some 2,500.
 * The same seed gives the same market.
 */
export function makeMarket(seed: number): Market {
  const makes = makeOptions.map(({ value }) => value);
  const rank = (make: string) => (LEADING.includes(make) ? LEADING.indexOf(make) : LEADING.length);
  const makeDraw = weighted(
    makes.toSorted((a, b) => rank(a) - rank(b)),
    zipf(MAKE_SKEW),
  );
  const modelDraws = new Map(
    makes.map((make) => [
      make,
      weighted(
        modelsOf(make).map(({ value }) => value),
        zipf(MODEL_SKEW),
      ),
    ]),
  );
  const places = readPlaces();
  const alertDice = new Dice(seed, 1);
  const listingDice = new Dice(seed, 2);
  const filterDice = new Dice(seed, 3);
  const factDice = new Dice(seed, 4);

  const modelOf = (dice: Dice, make: string): string | null => {
    const models = modelDraws.get(make);
    return models && models.values.length > 0 ? draw(dice, models) : null;
  };
  const maybe = <T>(dice: Dice, probability: number, value: () => T): T | null =>
    dice.chance(probability) ? value() : null;

  const filterOf = (dice: Dice, alert: TestAlert): Partial<TestAlert> =>
    dice.weighted<() => Partial<TestAlert>>([
      [() => ({ mileageMax: dice.whole(5, 15) * 10_000 }), 30],
      [() => ({ titleStatus: 'clean' }), 20],
      [() => ({ transmission: dice.pick(['automatic', 'manual']) }), 10],
      [() => ({ drive: dice.pick(['awd', '4wd', 'fwd']) }), 8],
      [() => ({ body: dice.pick(['sedan', 'suv', 'truck']) }), 6],
      [() => ({ fuel: dice.pick(['gas', 'hybrid', 'diesel']) }), 5],
      [() => ({ models: [modelOf(dice, alert.make)].flatMap((model) => model ?? []) }), 8],
      [() => ({ excludeWords: [dice.pick(['salvage', 'parts', 'as is'])] }), 6],
      [() => ({ belowFairPrice: true }), 4],
      [() => ({ priceStated: dice.chance(0.5) }), 3],
    ])();
  const factsOf = (dice: Dice, price: number | null): Partial<TestListing> => ({
    mileage: maybe(dice, 0.8, () => dice.whole(1, 220) * 1_000),
    transmission: maybe(dice, 0.7, () => (dice.chance(0.93) ? ('automatic' as const) : ('manual' as const))),
    fuel: maybe(dice, 0.3, () => dice.pick(['gas', 'gas', 'gas', 'hybrid', 'diesel', 'electric'])),
    drive: maybe(dice, 0.3, () => dice.pick(['fwd', 'fwd', 'awd', '4wd', 'rwd', '2wd'])),
    body: maybe(dice, 0.3, () => dice.pick(['sedan', 'suv', 'truck', 'coupe', 'van'])),
    titleStatus: maybe(dice, 0.3, () => dice.pick(['clean', 'clean', 'clean', 'salvage', 'rebuilt'])),
    title: dice.pick(['Clean car, runs great', 'One owner - low miles', 'Sold AS IS', 'for parts', 'salvage title']),
    ...(price !== null && dice.chance(0.5)
      ? {
          bandLow: Math.round(price * 0.8),
          bandMiddle: Math.round(price * (0.8 + dice.next() * 0.5)),
          bandHigh: price * 2,
        }
      : {}),
  });

  return {
    filtered(alert) {
      const filters = Array.from({ length: filterDice.whole(1, 3) }, () => filterOf(filterDice, alert));
      const { models, ...found }: Partial<TestAlert> = Object.assign({}, ...filters);
      return { ...alert, ...found, ...(models?.length && alert.model !== null ? { models } : {}) };
    },
    stated: (listing) => ({ ...listing, ...factsOf(factDice, listing.price) }),
    alert() {
      const dice = alertDice;
      const make = draw(dice, makeDraw);
      const { lat, lng } = draw(dice, places);
      const wished = drawCar(dice);
      const priceMax = dice.chance(NO_PRICE_BOUND) ? null : Math.round((wished.price * 1.3) / 500) * 500 + 500;
      return {
        make,
        model: dice.chance(0.75) ? modelOf(dice, make) : null,
        yearMin: maybe(dice, 0.6, () => wished.year - dice.whole(1, 6)),
        yearMax: maybe(dice, 0.2, () => wished.year + dice.whole(0, 5)),
        priceMin: maybe(dice, 0.15, () => Math.floor((priceMax ?? 20_000) / 2_000) * 500),
        priceMax,
        color: maybe(dice, 0.1, () => dice.pick(COLORS)),
        onlyWithImages: dice.chance(0.8),
        lat,
        lng,
        radius: dice.pick(RADII),
      };
    },
    listing() {
      const dice = listingDice;
      const make = draw(dice, makeDraw);
      const place = draw(dice, places);
      const car = drawCar(dice);
      const isPlaced = dice.chance(0.98);
      const lat = place.lat + dice.bell() * 0.15;
      const lng = place.lng + dice.bell() * 0.15;
      return {
        make,
        model: maybe(dice, 0.94, () => modelOf(dice, make)),
        year: maybe(dice, 0.97, () => car.year),
        price: maybe(dice, 0.97, () => car.price),
        color: maybe(dice, 0.6, () => dice.pick(COLORS)),
        imageUrl: maybe(dice, 0.95, () => 'https://photos.example/car.jpg'),
        lat: isPlaced ? lat : null,
        lng: isPlaced ? lng : null,
      };
    },
  };
}
