import { readDataFile } from '../../base/data-folder.ts';
import { nameKey } from './title-words.ts';

interface WordsFile extends Record<string, unknown> {
  motorcycles: Record<string, string[]>;
}

const file = JSON.parse(readDataFile('title-words.json')) as WordsFile;

/** One list of `data/title-words.json`, which says what each is for; keyed by `nameKey`. */
function list(name: string): ReadonlySet<string> {
  const words = file[name];
  if (!Array.isArray(words)) throw new Error(`title-words.json has no list ${name}`);
  return new Set(words.map((word) => nameKey(String(word))).filter((key) => key !== ''));
}

export const otherMakes = list('otherMakes');
export const weakMakes = list('weakMakes');
export const neverWords = list('never');
export const softWords = list('soft');
export const partWords = list('parts');
export const partModifiers = list('partModifiers');
export const partFollowers = list('partFollowers');
export const partOrigins = list('partOrigins');
export const carriers = list('carriers');
export const neverFollowers = list('neverFollowers');
export const wantedWords = list('wanted');
export const carEvidence = list('carEvidence');
export const looseModels = list('loose');
export const shoutedModels = list('shout');
export const units = list('units');
export const priceUnits = list('priceUnits');
export const onlyCars = list('onlyCars');
export const trims = list('trims');
export const services = list('services');
export const bareEvidence = list('bareEvidence');
export const generalModels = list('general');
export const bareParts = list('bareParts');
export const partStates = list('partStates');
export const priceWords = list('priceWords');
export const filler = list('filler');

const motorcycles = new Map(
  Object.entries(file.motorcycles).map(([make, names]) => [make, new Set(names.map(nameKey))]),
);

/** Whether the name is a motorcycle's: listed, or a listed letter group before three or four digits. */
export function isMotorcycle(make: string | null, key: string): boolean {
  const own = motorcycles.get(make ?? '');
  if (make && key.length > 2 && own?.has(key)) return true;
  for (const group of [own, motorcycles.get('')]) {
    if (!group) continue;
    const letters = /^([a-z](?=\d{3})|[a-z]{2,3}(?=\d{2}))\d{2,4}[a-z]{0,3}$/.exec(key)?.[1];
    if (letters && group.has(letters)) return true;
  }
  return false;
}
