import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { randomCar } from '../demo/car.ts';
import { Dice } from '../demo/random.ts';
import { titleOf } from '../demo/title.ts';
import { progress } from '../lab/command-line.ts';
import { fitPriceModel, type PricedCar } from '../src/domain/prices/fit-price-model.ts';
import { priceBand } from '../src/domain/prices/price-band.ts';
import type { BenchOptions, BenchResult } from './options.ts';

/** Real titles with prices, which may not be shipped. Without them the demo marketplace's cars are used. */
const FOLDER = process.env.TITLES_FOLDER ?? join(import.meta.dirname, '../../../shared/data/titles');
const DEMO_CARS = 6_000;
const THIS_YEAR = 2026;
const MAX_SHARE_OF_BASELINE = 0.7;
const MIN_INSIDE = 0.76;
const MAX_INSIDE = 0.84;
/** The baseline is the median of the make and model, which needs some cars too. */
const MIN_BASELINE_CARS = 3;

interface TitleRow {
  title: string;
  year?: number;
  make_slug?: string;
  model_slug?: string;
  price?: number;
  mileage?: number;
  state?: string;
  is_car?: boolean;
}

function readCars(file: string): PricedCar[] {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines.flatMap((line): PricedCar[] => {
    const row = JSON.parse(line) as TitleRow;
    if (!row.make_slug || !row.year || !row.price || row.price < 300 || row.is_car === false) return [];
    const { title, year, price, make_slug: make, model_slug: model = null, mileage = null, state = null } = row;
    return [{ title, year, price, make, model, mileage, state }];
  });
}

function readFolder(): PricedCar[][] {
  const files = readdirSync(FOLDER).filter((name) => name.endsWith('.ndjson'));
  return files.map((name) => readCars(join(FOLDER, name)));
}

const demoCars = (seed: number): PricedCar[] =>
  Array.from({ length: DEMO_CARS }, (_, position) => {
    const dice = new Dice(seed, position, 3);
    const car = randomCar(seed, position, THIS_YEAR);
    const { make, model, year, price, mileage, place } = car;
    return { make, model, year, price, mileage, state: place.state, title: titleOf(car, false, dice) };
  });

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;
const share = (part: number, whole: number): number => Math.round((part / whole) * 1000) / 1000;

function baselineOf(cars: readonly PricedCar[]): (car: PricedCar) => number | null {
  const key = ({ make, model }: PricedCar) => `${make}/${model}`;
  const groups = Map.groupBy(
    cars.filter(({ model }) => model !== null),
    key,
  );
  return (car) => {
    const group = car.model === null ? undefined : groups.get(key(car));
    return group && group.length >= MIN_BASELINE_CARS ? median(group.map(({ price }) => price)) : null;
  };
}

/** How near price bands come to prices that the model has not seen, against the median of each make and model. */
export async function benchPrices({ seed }: BenchOptions): Promise<BenchResult> {
  const isReal = existsSync(FOLDER);
  if (!isReal) progress(`There are no titles in ${FOLDER} (TITLES_FOLDER); the demo marketplace's cars are used.`);
  const older: PricedCar[] = [];
  const rest: PricedCar[] = [];
  for (const cars of isReal ? readFolder() : [demoCars(seed)]) {
    const half = cars.length >> 1;
    older.push(...cars.slice(0, half));
    rest.push(...cars.slice(half));
  }
  const now = Math.max(...older.map(({ year }) => year)) + 0.5;
  progress(`Fitting with ${older.length} cars …`);
  const started = performance.now();
  const model = fitPriceModel(older, now);
  const fitMs = Math.round(performance.now() - started);
  const baseline = baselineOf(older);
  const errors: number[] = [];
  const relative: number[] = [];
  const baselineErrors: number[] = [];
  const refusals: Record<string, number> = {};
  let inside = 0;
  let bands = 0;
  for (const car of rest) {
    const answer = priceBand(model, car);
    if ('refusal' in answer) {
      refusals[answer.refusal] = (refusals[answer.refusal] ?? 0) + 1;
      continue;
    }
    const { low, middle, high } = answer.band;
    bands += 1;
    if (car.price >= low && car.price <= high) inside += 1;
    const plain = baseline(car);
    if (plain === null) continue;
    errors.push(Math.abs(middle - car.price));
    relative.push(Math.abs(middle / car.price - 1));
    baselineErrors.push(Math.abs(plain - car.price));
  }
  const ofBaseline = share(median(errors), median(baselineErrors));
  const held = share(inside, bands);
  const missed: string[] = [];
  if (!(ofBaseline <= MAX_SHARE_OF_BASELINE)) missed.push(`the error is ${ofBaseline} of the baseline's`);
  if (!(held >= MIN_INSIDE && held <= MAX_INSIDE)) missed.push(`${held} of the prices are in their bands`);
  return {
    line: {
      bench: 'prices',
      cars: isReal ? 'real' : 'demo',
      trained: older.length,
      tested: rest.length,
      bands,
      medianError: median(errors),
      medianRelativeError: share(median(relative), 1),
      baselineError: median(baselineErrors),
      ratio: ofBaseline,
      inside: held,
      refusals,
      fitMs,
    },
    missed,
  };
}
