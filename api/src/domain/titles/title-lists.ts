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
export const components = list('components');
export const positions = list('positions');
export const partMarks = list('partMarks');
export const newness = list('newness');
export const dateWords = list('dateWords');
export const tagWords = list('tagWords');
export const cycleNumberMakes = list('cycleNumberMakes');
export const engineCodes = list('engineCodes');
export const praise = list('praise');
export const bareParts = list('bareParts');
export const partStates = list('partStates');
export const priceWords = list('priceWords');
export const filler = list('filler');

const motorcycles = new Map(
  Object.entries(file.motorcycles).map(([make, names]) => [make, new Set(names.map(nameKey))]),
);

/** Whether the name is a motorcycle's: listed, or a listed letter group before two to four digits. */
export function isMotorcycle(make: string | null, key: string): boolean {
  const own = motorcycles.get(make ?? '');
  if (make !== null && key.length > 2 && own?.has(key)) return true;
  const letters = lettersBeforeNumber(key);
  return letters !== '' && (own?.has(letters) || motorcycles.get('')?.has(letters) || false);
}

/** CBR of `cbr600rr`; one letter needs three digits, as F-30 is a pickup's. */
function lettersBeforeNumber(key: string): string {
  if (key.length < SHORTEST_NUMBERED || key.length > LONGEST_NUMBERED) return '';
  const [, letters = '', digits = ''] = /^([a-z]{1,3})(\d{2,4})[a-z]{0,3}$/.exec(key) ?? [];
  return letters.length === 1 && digits.length < 3 ? '' : letters;
}
const SHORTEST_NUMBERED = 4;
const LONGEST_NUMBERED = 3 + 4 + 3;
