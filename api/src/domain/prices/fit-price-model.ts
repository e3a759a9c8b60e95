import {
  type CarFacts,
  type Coefficients,
  comparableCars,
  describingWords,
  expectedLogPrice,
  MIN_COMPARABLE,
  makeTerms,
  type PriceModel,
  type Spread,
  sharedTerms,
  spreadClasses,
  type Term,
} from './price-model.ts';
import { fitRidge, type Observation } from './ridge.ts';

/** A car that is or was for sale at a stated price. */
export interface PricedCar extends CarFacts {
  year: number;
  /** Whole US dollars, above 0. */
  price: number;
}

/**
 * How many cars' word it takes to draw a coefficient halfway to what its cars say, by the beginning of the term's name.
 * A model with few cars so leans on its make, and a trim on its model.
 */
const PENALTIES: readonly (readonly [start: string, penalty: number])[] = [
  ['make ', 1],
  ['state ', 10],
  ['word ', 8],
  ['model ', 2],
  ['no model', 5],
  ['age of ', 10],
  ['generation ', 3],
  ['trim ', 5],
  ['age', 2],
];
const PENALTY = 0.1;
const LEVEL_PENALTY = 1e-6;
/** A word must stand in so many titles to get a term. */
const MIN_TITLES = { word: 10, trim: 3 } as const;
/**
 * Sellers choose the words, and the work grows with the cube of the terms. There are at most so many terms of words in a
 * fit, those that most titles have, and in a make one for so many cars.
 */
const MAX_WORDS = 600;
const CARS_A_WORD = 4;
/** How often the shared terms and those of the makes are fitted in turn. */
const TURNS = 3;
const FOLDS = 10;
/** A class of cars needs so many residuals for quantiles of its own. */
const MIN_RESIDUALS = 60;
/** The share of prices below a band, and above it. */
const TAIL = 0.1;

const penaltyOf = (name: string): number =>
  name === 'level' ? LEVEL_PENALTY : (PENALTIES.find(([start]) => name.startsWith(start))?.[1] ?? PENALTY);

interface Fitted {
  car: PricedCar;
  logPrice: number;
  shared: readonly Term[];
  own: readonly Term[];
}

function keptTerms(titles: ReadonlyMap<string, number>, cars: number): string[] {
  const words: [name: string, count: number][] = [];
  const others: string[] = [];
  for (const [name, count] of titles) {
    const isWord = name.startsWith('word ');
    if (!isWord && !name.startsWith('trim ')) others.push(name);
    else if (count >= (isWord ? MIN_TITLES.word : MIN_TITLES.trim)) words.push([name, count]);
  }
  words.sort((a, b) => b[1] - a[1]);
  const most = Math.min(MAX_WORDS, Math.ceil(cars / CARS_A_WORD));
  return [...others, ...words.slice(0, most).map(([name]) => name)];
}

/** Gives each term a column, and fits. @param rest the log price of a row less what other terms explain */
function fitTerms(
  rows: readonly Fitted[],
  termsOf: (row: Fitted) => readonly Term[],
  rest: (row: Fitted) => number,
): Coefficients {
  const titles = new Map<string, number>();
  for (const row of rows) for (const [name] of termsOf(row)) titles.set(name, (titles.get(name) ?? 0) + 1);
  const columns = new Map(keptTerms(titles, rows.length).map((name, index) => [name, index]));
  const observations = rows.map((row): Observation => {
    const kept = termsOf(row).filter(([name, value]) => value !== 0 && columns.has(name));
    return {
      y: rest(row),
      columns: kept.map(([name]) => columns.get(name) ?? 0),
      values: kept.map(([, value]) => value),
    };
  });
  const names = [...columns.keys()];
  const coefficients = fitRidge(observations, { penalties: names.map(penaltyOf) });
  return Object.fromEntries(names.map((name, index) => [name, coefficients[index] ?? 0]));
}

const explained = (terms: readonly Term[], coefficients: Coefficients | undefined): number =>
  coefficients ? terms.reduce((total, [name, value]) => total + value * (coefficients[name] ?? 0), 0) : 0;

function fitLevels(cars: readonly PricedCar[], now: number): Pick<PriceModel, 'shared' | 'makes'> {
  const rows = cars.map((car): Fitted => {
    const words = describingWords(car);
    return {
      car,
      logPrice: Math.log(car.price),
      shared: sharedTerms(car, now, words),
      own: makeTerms(car, now, words),
    };
  });
  const byMake = Map.groupBy(rows, ({ car }) => car.make);
  let shared: Coefficients = {};
  let makes: Record<string, Coefficients> = {};
  for (let turn = 0; turn < TURNS; turn++) {
    shared = fitTerms(
      rows,
      (row) => row.shared,
      (row) => row.logPrice - explained(row.own, makes[row.car.make]),
    );
    const fitted: Record<string, Coefficients> = {};
    for (const [make, own] of byMake) {
      fitted[make] = fitTerms(
        own,
        (row) => row.own,
        (row) => row.logPrice - explained(row.shared, shared),
      );
    }
    makes = fitted;
  }
  return { shared, makes };
}

const offerKey = ({ make, model, year, mileage, price }: PricedCar): string =>
  [make, model, year, mileage, price].join();

function countCars(cars: readonly PricedCar[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { make, model, year } of cars) {
    if (model === null) continue;
    const key = `${make}/${model}/${year}`;
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}

/** The quantile by linear interpolation between the ranks of order statistics, each of which stands for rank / (n + 1). */
function quantile(sorted: readonly number[], share: number): number {
  const rank = Math.min(Math.max((sorted.length + 1) * share - 1, 0), sorted.length - 1);
  const [below, above] = [sorted[Math.floor(rank)] ?? 0, sorted[Math.ceil(rank)] ?? 0];
  return below + (above - below) * (rank - Math.floor(rank));
}

/** The spread of cars by classes, from residuals of cars that the model was not fitted with. */
function measureSpreads(cars: readonly PricedCar[], now: number): Record<string, Spread> {
  const residuals = new Map<string, number[]>();
  for (let fold = 0; fold < FOLDS; fold++) {
    const kept = cars.filter((_, index) => index % FOLDS !== fold);
    const levels = fitLevels(kept, now);
    const counts = countCars(kept);
    for (const [index, car] of cars.entries()) {
      if (index % FOLDS !== fold) continue;
      const comparable = comparableCars(counts, car);
      if (comparable < MIN_COMPARABLE) continue;
      const residual = Math.log(car.price) - expectedLogPrice({ now, ...levels }, car);
      for (const name of spreadClasses(car, now, comparable)) {
        const own = residuals.get(name);
        if (own) own.push(residual);
        else residuals.set(name, [residual]);
      }
    }
  }
  const spreads: Record<string, Spread> = {};
  for (const [name, own] of residuals) {
    if (own.length < MIN_RESIDUALS && name !== '') continue;
    own.sort((a, b) => a - b);
    spreads[name] = { low: quantile(own, TAIL), high: quantile(own, 1 - TAIL) };
  }
  return spreads;
}

/**
 * Fits a price model with cars whose prices are known. An offer that is there several times counts once, as a seller may
 * publish it in many towns.
 * @param now the year from which ages are counted, with its fraction
 */
export function fitPriceModel(offers: readonly PricedCar[], now: number): PriceModel {
  const cars = [...new Map(offers.map((car) => [offerKey(car), car])).values()];
  return {
    now,
    ...fitLevels(cars, now),
    counts: countCars(cars),
    spreads: measureSpreads(cars, now),
  };
}
