import { contextOf, shapeOf, type TitledVehicle, type WordWeights } from '../src/domain/titles/car-evidence.ts';
import type { Word } from '../src/domain/titles/title-words.ts';
import { vehiclesOf } from '../src/domain/titles/vehicle-title.ts';
import type { Example } from './examples.ts';

/** An example as it is read: its words, and the vehicle that it is most likely to name. */
export interface ReadExample extends Example {
  words: readonly Word[];
  vehicle: TitledVehicle | null;
}

/** The last model year of the titles. Raise it with the first titles of a later one: numbers above it are no years. */
const LAST_YEAR = 2027;

export function read(example: Example): ReadExample {
  const { words, vehicles } = vehiclesOf(example.title, LAST_YEAR);
  return { ...example, words, vehicle: vehicles[0]?.titled ?? null };
}

/** How many titles of each kind have a word. */
interface Counts {
  car: number;
  other: number;
  /** The files that have it. */
  sources: Set<string>;
}

/** The counts of the words at one place of a title. */
class WordCounts {
  readonly #total = { car: 0, other: 0 };
  readonly #counts = new Map<string, Counts>();

  add({ isCar, source }: Example, keys: Iterable<string>): void {
    const side = isCar ? 'car' : 'other';
    this.#total[side]++;
    for (const key of new Set(keys)) {
      const counts = this.#counts.get(key) ?? { car: 0, other: 0, sources: new Set() };
      counts[side]++;
      counts.sources.add(source);
      this.#counts.set(key, counts);
    }
  }

  /**
   * The logarithms of the odds of each word that enough titles have, smoothed as though each side had one more title with
   * the word and one without. @param without the side and words of a title that is left out
   */
  weightOf(key: string, minTitles: number, without: 'car' | 'other' | null): number | undefined {
    const counts = this.#counts.get(key);
    if (!counts || counts.car + counts.other < minTitles || counts.sources.size < MIN_SOURCES) return undefined;
    const left = (side: 'car' | 'other') => (without === side ? 1 : 0);
    const share = (side: 'car' | 'other') => (counts[side] - left(side) + 1) / (this.#total[side] - left(side) + 2);
    return Math.max(-MAX_WEIGHT, Math.min(MAX_WEIGHT, Math.log(share('car') / share('other'))));
  }

  weights(minTitles: number): Map<string, number> {
    const all = new Map<string, number>();
    for (const key of [...this.#counts.keys()].sort()) {
      const weight = this.weightOf(key, minTitles, null);
      if (weight !== undefined && isPlain(key)) all.set(key, weight);
    }
    return all;
  }
}
const MAX_WEIGHT = 3;
/** A word of one source only may be the name of somebody who advertises there often. */
const MIN_SOURCES = 2;
/** Given names that titles of several sources have, and words of adult services. */
const LEFT_OUT = new Set('allen ashley carl eddie gary john lee martin ray sexy massage nude'.split(' '));
/** Telephone numbers and other long numbers are left out, and what is no word of plain letters. */
const isPlain = (key: string) => /^\$?[a-z0-9]{1,20}$/.test(key) && !/\d{5}/.test(key) && !LEFT_OUT.has(key);

const keysOf = (words: readonly (Word | undefined)[]) =>
  words.flatMap((word) => {
    if (word === undefined) return [];
    return /\d/.test(word.text) ? [word.text, shapeOf(word)] : [word.text];
  });

/** A word counts from so many titles on; the more, the less it can say about a single seller. */
export interface Minimum {
  titles: number;
  titlesBeside: number;
}

/** Counts words in titles. The weights of one title can be had as though it had not been counted. */
export class WordModel {
  readonly #words = new WordCounts();
  readonly #before = new WordCounts();
  readonly #after = new WordCounts();

  constructor(
    examples: readonly ReadExample[],
    readonly minimum: Minimum,
  ) {
    for (const example of examples) {
      const { words, vehicle } = example;
      this.#words.add(example, keysOf(vehicle ? contextOf(words, vehicle) : words));
      if (!vehicle) continue;
      this.#before.add(example, keysOf([words[vehicle.start - 1]]));
      this.#after.add(example, keysOf([words[vehicle.end]]));
    }
  }

  all(): { words: Map<string, number>; before: Map<string, number>; after: Map<string, number> } {
    const { titles, titlesBeside } = this.minimum;
    return {
      words: this.#words.weights(titles),
      before: this.#before.weights(titlesBeside),
      after: this.#after.weights(titlesBeside),
    };
  }

  /** The weights as seen from one of the counted titles, so that no title is judged by itself. */
  without(isCar: boolean): WordWeights {
    const side = isCar ? 'car' : 'other';
    const { titles, titlesBeside } = this.minimum;
    const look = (counts: WordCounts, least: number) =>
      ({ get: (key: string) => (isPlain(key) ? counts.weightOf(key, least, side) : undefined) }) as ReadonlyMap<
        string,
        number
      >;
    return {
      words: look(this.#words, titles),
      before: look(this.#before, titlesBeside),
      after: look(this.#after, titlesBeside),
    };
  }
}
