import { Dice } from '../../demo/random.ts';
import type { TestListing } from '../../test/matching/match-rows.ts';
import type { Market } from '../market/market.ts';
import { badItem, isPlausible, type MarketCar, marketItem } from './market-items.ts';

/** What became of a body's items, as its sender knows it. */
export interface BodyCounts {
  accepted: number;
  updated: number;
  unchanged: number;
  rejected: number;
}

export interface Body {
  text: string;
  counts: BodyCounts;
}

/** A car with all that was ever said of it, the last last. */
export interface SentCar {
  externalId: string;
  versions: TestListing[];
  isSold: boolean;
}

interface Offered extends SentCar {
  car: MarketCar;
  listedAt: Date;
  /** The body that spoke of it last. */
  body: number;
}

const BAD = 0.05;
const NEW = 0.7;
const UNCHANGED = 0.2;
const SOLD = 0.1;
const RELISTED = 0.03;
/** Bodies that may be under way at once: none of them speaks of a car that another one does. */
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

  /** One of which no body under way speaks. */
  private earlier(): Offered | null {
    for (let attempt = 0; attempt < TRIES && this.cars.length > 0; attempt += 1) {
      const one = this.cars[this.dice.whole(0, this.cars.length - 1)];
      if (one && !one.isSold && one.body < this.bodies - UNDER_WAY) return one;
    }
    return null;
  }

  /** Mostly the price falls; some sellers say more of the car, some sell it. */
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
