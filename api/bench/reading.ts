import { randomCar } from '../demo/car.ts';
import { Dice } from '../demo/random.ts';
import { oddTitle, titleOf } from '../demo/title.ts';
import { progress } from '../lab/command-line.ts';
import { readDataFile } from '../src/base/data-folder.ts';
import { makes, modelsOf } from '../src/domain/catalogue.ts';
import { readTextFacts } from '../src/domain/descriptions/text-facts.ts';
import { makeGazetteer } from '../src/domain/places/places.ts';
import { parseTitle } from '../src/domain/titles/vehicle-title.ts';
import { type BenchOptions, type BenchResult } from './options.ts';

const PLACES = 20_000;
const HOSTILE_PLACES = 1_000;
/** The least rate for places, each of which is read once a listing and must not slow down the reading of titles. */
const MIN_PLACES_PER_SECOND = 20_000;
const MAX_PLACE_MS = 20;

const placeForms = [
  '{name}, {state}',
  '{name} {state}',
  '{name}',
  '{name}, {state} {zip}',
  '{zip}',
  'near {name}',
] as const;

function swapLetters(text: string, dice: Dice): string {
  const at = dice.whole(1, Math.max(1, text.length - 2));
  return text.slice(0, at) + (text[at + 1] ?? '') + (text[at] ?? '') + text.slice(at + 2);
}

/** How fast the places of listings are found in one process, and how long the slowest text takes. */
export async function benchPlaces({ listings = PLACES, seed }: BenchOptions): Promise<BenchResult> {
  const gazetteer = makeGazetteer();
  const zips = readDataFile('geo/us-zips.csv').split('\n').slice(1).filter(Boolean);
  const dice = new Dice(seed);
  const texts = Array.from({ length: listings }, () => {
    const zip = /\d{5}/.exec(dice.pick(['10001', ...zips]))?.[0] ?? '10001';
    const { name = 'Austin', state = 'TX' } = gazetteer.resolve(zip) ?? {};
    const said = dice.chance(0.03) ? swapLetters(name, dice) : name;
    return dice.pick(placeForms).replace('{name}', said).replace('{state}', state).replace('{zip}', zip);
  });
  const repeated = ['a', '1 ', 'san ', 'springfeild ', '((', 'é', '\ud800'].map((part) => part.repeat(10_000));
  return measureRate({
    bench: 'places',
    texts,
    hostile: [...texts.slice(0, HOSTILE_PLACES), ...repeated],
    answer: (text) => gazetteer.resolve(text),
    minPerSecond: MIN_PLACES_PER_SECOND,
    maxMs: MAX_PLACE_MS,
  });
}

const PASSES = 7;
const CHUNK = 100;
const FINALISTS = 25;
const ROUNDS = 40;

function timed<T>(inputs: readonly T[], answer: (input: T) => unknown): number {
  const started = performance.now();
  for (const input of inputs) answer(input);
  return performance.now() - started;
}

/**
 * Measures how many inputs are answered a second, after a warm-up. Of every hundred inputs the best of several passes
 * counts, as other work on the machine only makes a pass slower.
 */
export function perSecond<T>(inputs: readonly T[], answer: (input: T) => unknown): number {
  const chunks = Array.from({ length: Math.ceil(inputs.length / CHUNK) }, (_, index) =>
    inputs.slice(index * CHUNK, (index + 1) * CHUNK),
  );
  const best = chunks.map(() => Number.POSITIVE_INFINITY);
  for (let pass = 0; pass <= PASSES; pass++) {
    for (const [index, chunk] of chunks.entries()) {
      const ms = timed(chunk, answer);
      if (pass > 0) best[index] = Math.min(best[index] ?? ms, ms);
    }
  }
  return Math.floor((inputs.length * 1000) / best.reduce((sum, ms) => sum + ms, 0));
}

/**
 * Finds the slowest input and its time in milliseconds. The best of several attempts counts, and the slowest inputs are
 * repeated alternately, so that noise of the machine makes none of them the slowest.
 */
export function slowest<T>(inputs: readonly T[], answer: (input: T) => unknown): { input: T | null; ms: number } {
  const times = inputs.map((input) => ({ input, ms: Number.POSITIVE_INFINITY }));
  const tryAll = (list: typeof times, rounds: number) => {
    for (let round = 0; round < rounds; round++) {
      for (const one of list) one.ms = Math.min(one.ms, timed([one.input], answer));
    }
    return list.toSorted((a, b) => b.ms - a.ms);
  };
  const finalists = tryAll(times, PASSES).slice(0, FINALISTS);
  return tryAll(finalists, ROUNDS)[0] ?? { input: null, ms: 0 };
}

/** The parts of a benchmark of reading texts; its name is the kind of text. */
export interface RateBench {
  bench: string;
  texts: readonly string[];
  /** The texts among which the slowest is searched. */
  hostile: readonly string[];
  answer(text: string): unknown;
  minPerSecond: number;
  maxMs: number;
}

/** How fast texts are read in one process, and how long the slowest one takes, in ms. */
export function measureRate({ bench, texts, hostile, answer, minPerSecond, maxMs }: RateBench): BenchResult {
  progress(`Reading ${texts.length} ${bench}, the best of several passes …`);
  const rate = perSecond(texts, answer);
  progress(`${rate} ${bench} a second. Searching for the slowest one …`);
  const { input, ms } = slowest(hostile, answer);
  const slowestMs = Number(ms.toFixed(3));
  progress(`${slowestMs} ms: ${JSON.stringify(input?.slice(0, 120) ?? '')}`);
  const missed: string[] = [];
  if (rate < minPerSecond) missed.push(`${minPerSecond} ${bench} a second`);
  if (slowestMs > maxMs) missed.push(`${maxMs} ms for any text`);
  const limit = { [`${bench}PerSecond`]: minPerSecond, slowestMs: maxMs };
  return { line: { bench, [bench]: texts.length, [`${bench}PerSecond`]: rate, limit, slowestMs }, missed };
}

const TITLES = 50_000;
const HOSTILE = 3_000;
const MIN_PER_SECOND = 20_000;
const MAX_MS = 1;
const LONGEST = 600;

const names: readonly string[] = makes.flatMap(({ value, label }) =>
  modelsOf(value).map((model) => `${label} ${model.label}`),
);
const forms = [
  'Used {year} {name} SE 4dr w/Navi',
  '{year} {name} 4x4 clean title 128k miles',
  '{name} {year} {trim}',
  "'{short} {name} runs great, new tires",
  '{year} {NAME} {trim} FRONT END DAMAGE',
  'selling my {year} {name} - $4,900 OBO',
  '23k-Mile {year} {name} {trim} 6-Speed',
  'set of rims off {year} {name}',
] as const;
const trims = ['LE', 'EX-L', 'Limited AWD', 'SE V6', 'Touring', 'XLT SuperCrew', '2.5 SL', 'Sport Utility 4D'] as const;

/** Swaps two letters, doubles one or leaves one out, like a typo. */
function misspelt(text: string, dice: Dice): string {
  const at = dice.whole(1, Math.max(1, text.length - 3));
  const [one = '', two = ''] = text.slice(at, at + 2);
  return text.slice(0, at) + dice.pick([two + one, one + one + two, two] as const) + text.slice(at + 2);
}

/** A title as sellers, dealers and auctions write it, of every make and model alike; one in ten is misspelt. */
function catalogueTitle(dice: Dice): string {
  const year = dice.whole(1990, 2026);
  const plain = dice.pick(['', ...names]);
  const name = dice.chance(0.1) ? misspelt(plain, dice) : plain;
  return dice
    .pick(forms)
    .replace('{year}', `${year}`)
    .replace('{short}', `${year}`.slice(2))
    .replace('{name}', name)
    .replace('{NAME}', name.toUpperCase())
    .replace('{trim}', dice.pick(trims));
}

const parts = ['1 ', '((', "' ", 'f 1 5 0 ', '2018 ', '05 ', 'ℓ', '\u0301', '\ud800', '<b', '&#39;', 'x'] as const;

/** A text as long as a title can be, made to reach as many rules as possible: names, half-names, years, brackets. */
function hostileTitle(dice: Dice): string {
  let text = '';
  const repeated = dice.chance(0.3);
  const one = misspelt(dice.pick(['chevrolet', ...names]), dice);
  while (text.length < LONGEST) {
    if (repeated) text += `${one} `;
    else if (dice.chance(0.4)) text += `${misspelt(dice.pick(['ford', ...names]), dice)} `;
    else if (dice.chance(0.5)) text += `${dice.pick(['toyota', ...names])} `;
    else text += dice.pick(parts).repeat(dice.whole(1, 8));
  }
  return text;
}

/** How fast titles are read in one process, into car and facts, and how long the slowest one takes. */
export async function benchTitles({ listings = TITLES, seed }: BenchOptions): Promise<BenchResult> {
  const now = new Date();
  const dice = new Dice(seed);
  const titles = Array.from({ length: listings }, (_, position) => {
    if (dice.chance(0.5)) return catalogueTitle(dice);
    return dice.chance(0.05) ? oddTitle(dice) : titleOf(randomCar(seed, position, now.getUTCFullYear()), false, dice);
  });
  const hostile = Array.from({ length: HOSTILE }, () => hostileTitle(dice));
  const repeated = [...parts, 'a', 'toyoat ', 'chrysler town & '].map((part) => part.repeat(100_000 / part.length));
  return measureRate({
    bench: 'titles',
    texts: titles,
    hostile: [...titles.slice(0, HOSTILE), ...hostile, ...repeated],
    answer: (title) => readTextFacts({ ...parseTitle(title, now), title, description: null, price: null }),
    minPerSecond: MIN_PER_SECOND,
    maxMs: MAX_MS,
  });
}
