import { Dice } from '../demo/random.ts';
import { readDataFile } from '../src/base/data-folder.ts';
import { makeGazetteer } from '../src/domain/places/places.ts';
import type { BenchOptions, BenchResult } from './options.ts';
import { measurePace } from './pace.ts';

const PLACES = 20_000;
const HOSTILE = 1_000;
/** A place is read once a listing: it must not hold up the reading of titles. */
const LEAST_PER_SECOND = 20_000;
const MOST_MS = 20;

const forms = ['{name}, {state}', '{name} {state}', '{name}', '{name}, {state} {zip}', '{zip}', 'near {name}'] as const;

function misspelt(text: string, dice: Dice): string {
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
    const said = dice.chance(0.03) ? misspelt(name, dice) : name;
    return dice.pick(forms).replace('{name}', said).replace('{state}', state).replace('{zip}', zip);
  });
  const repeated = ['a', '1 ', 'san ', 'springfeild ', '((', 'é', '\ud800'].map((part) => part.repeat(10_000));
  return measurePace({
    bench: 'places',
    texts,
    hostile: [...texts.slice(0, HOSTILE), ...repeated],
    answer: (text) => gazetteer.resolve(text),
    leastPerSecond: LEAST_PER_SECOND,
    mostMs: MOST_MS,
  });
}
