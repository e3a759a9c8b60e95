import { Dice } from '../../demo/random.ts';
import { readDataFile } from '../../src/base/data-folder.ts';
import { makes, modelsOf, modelYears } from '../../src/domain/catalogue.ts';
import type { TestListing } from '../../test/matching/match-rows.ts';
import type { Market } from '../market/market.ts';
import { describe } from './description.ts';

/** A car as its seller knows it: the text about it, and the facts that can match. */
export interface MarketCar {
  externalId: string;
  /** The seed of the words, which a changed car keeps. */
  words: number;
  mileage: number;
  facts: TestListing;
}

interface Named {
  name: string;
  lat: number;
  lng: number;
}

const makeLabels = new Map(makes.map(({ value, label }) => [value, label]));
const modelLabels = new Map(
  makes.map((make) => [make.value, new Map(modelsOf(make.value).map((m) => [m.value, m.label]))]),
);
const thousands = (amount: number) => amount.toLocaleString('en-US');

const MIN_PEOPLE = 5_000;

/** Towns by whole degrees, without names that two places of a state share. */
function readPlaces(): Map<string, Named[]> {
  const byName = new Map<string, Named | null>();
  for (const line of readDataFile('geo/us-places.csv').split('\n').slice(1)) {
    const [city = '', state = '', lat, lng, population] = line.split(',');
    const name = `${city}, ${state}`;
    const isTown = Number(population) >= MIN_PEOPLE && !byName.has(name);
    byName.set(name, isTown ? { name, lat: Number(lat), lng: Number(lng) } : null);
  }
  const cells = new Map<string, Named[]>();
  for (const place of byName.values()) {
    if (!place) continue;
    const key = `${Math.floor(place.lat)}/${Math.floor(place.lng)}`;
    cells.set(key, [...(cells.get(key) ?? []), place]);
  }
  return cells;
}
const places = readPlaces();

/** A place nearby, as sellers name it; null where there is none. */
function nearPlace(lat: number, lng: number): string | null {
  let best: Named | null = null;
  let least = 0.25;
  for (const place of places.get(`${Math.floor(lat)}/${Math.floor(lng)}`) ?? []) {
    const gap = (place.lat - lat) ** 2 + (place.lng - lng) ** 2;
    if (gap < least) [best, least] = [place, gap];
  }
  return best?.name ?? null;
}

/**
 * Whether such a car was built and can be named by its seller: a Ram of before 2010 is a Dodge, and a make alone is no
 * title of a car.
 */
export function isPlausible({ make, model, year }: TestListing): boolean {
  if (model === null) return year !== null && !(make === 'ram' && year < 2010);
  // It was announced, never sold, and is read as a Ram 1500.
  if (model === '1500-rev') return false;
  if (make === 'dodge' && model.startsWith('ram-')) return year !== null && year < 2010;
  const years = modelYears(make, model);
  if (years === null) return false;
  return year === null ? make !== 'ram' : year >= years[0] && year <= years[1];
}

const trims = ['LE', 'EX', 'SE Sedan 4D', 'Limited Sport Utility 4D', 'Touring', 'Base'] as const;

function titleOf({ facts, words }: MarketCar): string {
  const dice = new Dice(words, 1);
  const model = facts.model === null ? '' : ` ${modelLabels.get(facts.make)?.get(facts.model) ?? facts.model}`;
  const name = `${makeLabels.get(facts.make) ?? facts.make}${model}`;
  const year = facts.year === null ? '' : `${facts.year} `;
  const tail = dice.chance(0.6) ? ` · ${dice.pick(trims)}` : dice.chance(0.5) ? ' clean title' : '';
  return dice.chance(0.12) ? `Selling my ${year}${name}` : `${year}${name}${tail}`;
}

function placeOf({ lat, lng }: TestListing) {
  if (lat === null || lng === null) return null;
  const name = nearPlace(lat, lng);
  const [city, state] = name?.split(', ') ?? [];
  const named = name === null ? {} : { reverse_geocode: { city, state, city_page: { display_name: name, id: '1' } } };
  return { latitude: lat, longitude: lng, ...named };
}

/** A listing as a marketplace has it: title, price, photos, description and the fields of its form. */
export function marketItem(car: MarketCar, listedAt: Date): Record<string, unknown> {
  const { externalId, words, facts, mileage } = car;
  const dice = new Dice(words, 2);
  const photos = Array.from({ length: facts.imageUrl === null ? 0 : dice.whole(2, 8) }, (_, index) => ({
    __typename: 'ProductImage',
    id: `${externalId}${index}`,
    image: {
      uri: `https://photos.invalid/v/t45.5328-4/${words}_${index}_n.jpg?stp=dst-jpg_s960x960&oh=${words}`,
      width: 960,
      height: 720,
    },
  }));
  const color = facts.color === 'other' ? 'two-tone' : facts.color;
  return {
    __typename: 'GroupCommerceProductItem',
    id: externalId,
    marketplace_listing_title: titleOf(car),
    redacted_description: { text: describe(dice) },
    custom_sub_titles_with_rendering_flags: [{ subtitle: `${Math.round(mileage / 1000)}K miles` }],
    listing_price:
      facts.price === null
        ? null
        : {
            formatted_amount: `$${thousands(facts.price)}`,
            amount: `${facts.price}.00`,
            amount_with_offset: `${facts.price}00`,
            currency: 'USD',
          },
    location: placeOf(facts),
    primary_listing_photo: photos[0] ?? null,
    listing_photos: photos,
    creation_time: Math.floor(listedAt.getTime() / 1000),
    condition: 'USED',
    vehicle_condition: dice.chance(0.7) ? dice.pick(['EXCELLENT', 'GOOD', 'FAIR'] as const) : null,
    vehicle_exterior_color: color,
    vehicle_transmission_type: dice.chance(0.85) ? 'AUTOMATIC' : null,
    vehicle_odometer_data: { unit: 'MILES', value: mileage },
    vehicle_make_display_name: dice.chance(0.6) ? (makeLabels.get(facts.make) ?? null) : null,
    vehicle_model_display_name: null,
    is_live: true,
    is_pending: false,
    is_sold: false,
    is_hidden: false,
    can_buyer_make_checkout_offer: false,
    is_shipping_offered: false,
    messaging_enabled: true,
    delivery_types: ['IN_PERSON'],
  };
}

const oddTitles = [
  'Set of 4 18" rims and tires off a Camry',
  'Sectional couch, gray, like new',
  'WTB: Toyota Tacoma, any year',
  'Harley-Davidson Sportster 883',
  'Honda Civic engine for parts',
] as const;

/** An item that is rejected: without an id, not a car, or with a price that no car has. */
function badItem(car: MarketCar, listedAt: Date): Record<string, unknown> {
  const item = marketItem(car, listedAt);
  const dice = new Dice(car.words, 3);
  const fault = dice.pick(['odd', 'odd', 'odd', 'no id', 'price'] as const);
  if (fault === 'no id') return { ...item, id: undefined };
  if (fault === 'price') return { ...item, listing_price: { amount: '987654321000.00', currency: 'USD' } };
  return {
    ...item,
    marketplace_listing_title: dice.pick(oddTitles),
    custom_sub_titles_with_rendering_flags: [],
    listing_price: { amount: '120.00', currency: 'USD' },
    vehicle_odometer_data: null,
    vehicle_make_display_name: null,
    vehicle_transmission_type: null,
  };
}

/** The expected results of a body's items. */
export interface BodyCounts {
  accepted: number;
  updated: number;
  unchanged: number;
  rejected: number;
}

interface Body {
  text: string;
  counts: BodyCounts;
}

/** A car with all its versions, the last one last. */
export interface SentCar {
  externalId: string;
  versions: TestListing[];
  isSold: boolean;
}

interface Offered extends SentCar {
  car: MarketCar;
  listedAt: Date;
  /** The last body with the car. */
  body: number;
}

const BAD = 0.05;
const NEW = 0.7;
const UNCHANGED = 0.2;
const SOLD = 0.1;
const RELISTED = 0.03;
/** How many bodies may be under way, which must not have a car in common. */
const UNDER_WAY = 8;
const TRIES = 30;

/** Bodies of marketplace items: 70 % new, 20 % unchanged, 10 % changed, one in twenty bad. The same from one seed. */
export class ItemStream {
  readonly cars: Offered[] = [];
  relists = 0;
  private readonly dice: Dice;
  private readonly market: Market;
  private bodies = 0;
  private words = 0;

  constructor(market: Market, seed: number) {
    this.market = market;
    this.dice = new Dice(seed, 3);
  }

  next(size: number): Body {
    this.bodies += 1;
    const counts: BodyCounts = { accepted: 0, updated: 0, unchanged: 0, rejected: 0 };
    const items: unknown[] = [];
    while (items.length < size) items.push(this.item(counts));
    return { text: JSON.stringify(items), counts };
  }

  private item(counts: BodyCounts): unknown {
    if (this.dice.chance(BAD)) {
      counts.rejected += 1;
      return badItem(this.newCar(), new Date());
    }
    const kind = this.dice.next();
    const known = kind < NEW ? null : this.earlier();
    if (!known) {
      counts.accepted += 1;
      return this.offerNew();
    }
    known.body = this.bodies;
    if (kind >= NEW + UNCHANGED) {
      this.change(known);
      counts.updated += 1;
    } else counts.unchanged += 1;
    return { ...marketItem(known.car, known.listedAt), is_sold: known.isSold };
  }

  private newCar(): MarketCar {
    this.words += 1;
    let facts = this.market.listing();
    while (!isPlausible(facts)) facts = this.market.listing();
    const mileage = 500 + Math.floor(this.dice.next() * 180_000);
    return { externalId: `512${this.words.toString().padStart(12, '0')}`, words: this.words, mileage, facts };
  }

  private offerNew(): unknown {
    let car = this.newCar();
    const earlier = this.dice.chance(RELISTED) ? this.earlier() : null;
    if (earlier) {
      this.relists += 1;
      car = { ...earlier.car, externalId: car.externalId };
    }
    const listedAt = new Date(Date.now() - this.dice.whole(5, 120) * 1_000);
    const { externalId, facts } = car;
    this.cars.push({ externalId, versions: [facts], isSold: false, car, listedAt, body: this.bodies });
    return marketItem(car, listedAt);
  }

  /** Draws a car that is in no body under way. */
  private earlier(): Offered | null {
    for (let attempt = 0; attempt < TRIES && this.cars.length > 0; attempt += 1) {
      const one = this.cars[this.dice.whole(0, this.cars.length - 1)];
      if (one && !one.isSold && one.body < this.bodies - UNDER_WAY) return one;
    }
    return null;
  }

  /** Changes a car: mostly its price falls; some sellers add facts, some sell it. */
  private change(known: Offered): void {
    const { car } = known;
    if (this.dice.chance(SOLD)) known.isSold = true;
    else if (car.facts.price !== null && this.dice.chance(0.8)) {
      const price = Math.max(500, Math.floor((car.facts.price * this.dice.between(0.8, 0.98)) / 10) * 10 - 1);
      known.car = { ...car, facts: { ...car.facts, price } };
    } else known.car = { ...car, mileage: car.mileage + this.dice.whole(1, 90) };
    known.versions.push(known.car.facts);
  }
}
