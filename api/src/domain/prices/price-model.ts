import { titleWords } from '../titles/title-words.ts';

/** What the price of a car depends on. */
export interface CarFacts {
  make: string;
  model: string | null;
  year: number | null;
  mileage: number | null;
  /** Two letters; null where the source names no state. */
  state: string | null;
  title: string;
}

/** The coefficients of a level of the model, by the names of their terms. */
export type Coefficients = Readonly<Record<string, number>>;

/** Residuals of cars that the model had not seen: for quantile `levels[i]` of the log price the distance `offsets[i]`. */
export interface Spread {
  low: number;
  high: number;
}

/**
 * A model of the log of asking prices: terms that all cars share, and for each make the terms by which it, its models
 * and their trims depart from those. It is plain data, so that it can be stored as JSON.
 */
export interface PriceModel {
  /** The year from which ages are counted, with its fraction. */
  now: number;
  shared: Coefficients;
  makes: Readonly<Record<string, Coefficients>>;
  /** How many cars of a model and model year it was fitted with, by `make/model/year`. */
  counts: Readonly<Record<string, number>>;
  /** By the class of `spreadClass`; '' holds for all others. */
  spreads: Readonly<Record<string, Spread>>;
}

/** A term of the regression and its value for a car. */
export type Term = readonly [name: string, value: number];

const MAX_AGE = 40;
/** Ages at which prices change their course: new cars lose most, and old ones become collectors'. */
const KINKS = [5, 12, 20, 30] as const;
const USUAL_MILEAGE = 60_000;
/** Less is a new car, a typing error, or thousands left out. */
const MIN_MILEAGE = 500;
/** More says no more about the price, and is often a typing error. */
const MAX_MILEAGE = 300_000;
const YEARS_IN_GENERATION = 4;

const ageOf = (year: number, now: number): number => Math.min(Math.max(now - year, 0), MAX_AGE);
/** Around 0 for usual cars, so that a slope says little about the level. */
const centredAge = (age: number): number => (age - 10) / 10;

/** The words of a title that may name a trim or an equipment. */
export function describingWords({ title, make, model }: CarFacts): string[] {
  const named = new Set([...make.split('-'), ...(model ?? '').split('-')]);
  const words = titleWords(title).map(({ text }) => text);
  return [...new Set(words)].filter((text) => text.length > 1 && !/^\d+$/.test(text) && !named.has(text));
}

/** The terms that all cars share. @param now as in `PriceModel` */
export function sharedTerms(car: CarFacts & { year: number }, now: number, words: readonly string[]): Term[] {
  const age = ageOf(car.year, now);
  const isDriven = car.mileage !== null && car.mileage >= MIN_MILEAGE;
  const mileage = isDriven ? Math.min(car.mileage ?? 0, MAX_MILEAGE) : USUAL_MILEAGE;
  return [
    ['level', 1],
    ['age', age / 10],
    ...KINKS.map((kink): Term => [`age over ${kink}`, Math.max(0, age - kink) / 10]),
    ['log mileage', Math.log(mileage / USUAL_MILEAGE)],
    ['mileage', (mileage - USUAL_MILEAGE) / 100_000],
    ['mileage by age', ((mileage - USUAL_MILEAGE) / 100_000) * centredAge(age)],
    ['mileage not stated', isDriven ? 0 : 1],
    ...(isDriven ? [] : ([['age of mileage not stated', centredAge(age)]] as const)),
    [`make ${car.make}`, 1],
    [`state ${car.state ?? 'not stated'}`, 1],
    ...words.map((word): Term => [`word ${word}`, 1]),
  ];
}

/** The terms by which a make's models and trims depart from what all cars share. */
export function makeTerms(car: CarFacts & { year: number }, now: number, words: readonly string[]): Term[] {
  const age = centredAge(ageOf(car.year, now));
  const { model } = car;
  const own: Term[] = [['age', age]];
  if (model === null) return [...own, ['no model', 1]];
  return [
    ...own,
    [`model ${model}`, 1],
    [`age of ${model}`, age],
    [`generation ${model} ${Math.floor(car.year / YEARS_IN_GENERATION)}`, 1],
    ...words.map((word): Term => [`trim ${model} ${word}`, 1]),
  ];
}

const sum = (terms: readonly Term[], coefficients: Coefficients | undefined): number => {
  let total = 0;
  if (coefficients) for (const [name, value] of terms) total += value * (coefficients[name] ?? 0);
  return total;
};

/** The log of the price that the model expects. */
export function expectedLogPrice(
  { now, shared, makes }: Pick<PriceModel, 'now' | 'shared' | 'makes'>,
  car: CarFacts & { year: number },
): number {
  const words = describingWords(car);
  return sum(sharedTerms(car, now, words), shared) + sum(makeTerms(car, now, words), makes[car.make]);
}

/** Cars of a model are compared if they are at most so many model years apart. */
export const YEARS_COMPARABLE = 4;
/** Fewer comparable cars tell nothing. */
export const MIN_COMPARABLE = 5;

/** How many cars of the same model, and at most four model years apart, the model was fitted with. */
export function comparableCars(counts: PriceModel['counts'], { make, model, year }: CarFacts): number {
  if (model === null || year === null) return 0;
  let count = 0;
  for (let near = year - YEARS_COMPARABLE; near <= year + YEARS_COMPARABLE; near++)
    count += counts[`${make}/${model}/${near}`] ?? 0;
  return count;
}

/** The classes of cars whose prices are about equally uncertain, the narrowest first. */
export function spreadClasses(car: CarFacts & { year: number }, now: number, comparable: number): string[] {
  const age = ageOf(car.year, now);
  const old = age < 6 ? 'new' : age < 13 ? 'used' : age < 25 ? 'old' : 'classic';
  const many = comparable >= 30 ? 'many' : comparable >= 10 ? 'some' : 'few';
  const miles = car.mileage === null ? 'mileage not stated' : 'mileage stated';
  return [`${old}, ${many}, ${miles}`, `${old}, ${many}`, old, ''];
}
