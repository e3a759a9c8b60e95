import { readDataFile } from '../../base/data-folder.ts';
import { nameKey } from '../titles/title-words.ts';
import { findModel, makeByName, modelNames } from '../titles/vehicle-names.ts';

interface ModelTrims {
  trims?: string[];
  never?: string[];
}

interface MakeTrims extends ModelTrims {
  before?: string[];
  alone?: string[];
  after?: string[];
  packages?: boolean;
  spellings?: Record<string, string>;
  models?: Record<string, ModelTrims>;
}

interface TrimFile {
  spellings: Record<string, string>;
  words: string[];
  between: string[];
  cancels: string[];
  makes: Record<string, MakeTrims>;
}

/**
 * How sure a name is: a `name` is nothing but a trim, a `code` of two letters may also be an abbreviation, and a `word`
 * may be a plain word, a letter or a number.
 */
export type Certainty = 'name' | 'code' | 'word';

export interface TrimName {
  /** As it is shown: `EX-L`. */
  shown: string;
  certainty: Certainty;
}

/** The trims of a model, each list by the keys (see `nameKey`) of its names. */
export interface TrimTable {
  names: ReadonlyMap<string, TrimName>;
  /** Engines and the like that belong to the trim behind them. */
  before: ReadonlyMap<string, string>;
  /** Those of them that are a trim without a name. */
  alone: ReadonlySet<string>;
  /** What belongs to a model's number before it. */
  after: ReadonlyMap<string, string>;
  /** Whether a package is the trim: `w/ Technology Package`. */
  packages: boolean;
  /** The first one to three characters of all these names, by which most words are passed over. */
  beginnings: ReadonlySet<string>;
  /** The same of the names of make and model, but for numbers. */
  ownBeginnings: ReadonlySet<string>;
}

const BEGINNING = 3;

/** Whether a trim of the table may begin with the word. */
export const mayBegin = ({ beginnings }: TrimTable, word: string): boolean => beginnings.has(word.slice(0, BEGINNING));

const isDigit = (code: number) => code >= 48 && code <= 57;

/** Whether a name of the make or the model may begin with the word; a number always may: `328i`, `560 SL`. */
export const mayBeginName = ({ ownBeginnings }: TrimTable, word: string): boolean =>
  isDigit(word.charCodeAt(0)) || ownBeginnings.has(word.slice(0, BEGINNING));

const familyOf = (model: string) => model.slice(0, model.indexOf('-') >>> 0);

/** Whether a model is the car's, or a larger or smaller one of its family: a Silverado 2500 of a 1500. */
export const isOfFamily = (model: string, other: string): boolean =>
  model === other || familyOf(model) === familyOf(other);

/** The names by which `mayBeginName` knows make and model. */
function ownNamesOf(make: string, model: string | null): string[] {
  const ofMake = [...makeByName].flatMap(([name, slug]) => (slug === make ? [name] : []));
  if (model === null) return ofMake;
  const ofModel = [...modelNames(make)].flatMap(([name, slug]) => (slug && isOfFamily(slug, model) ? [name] : []));
  // `C` and `m` begin numbers: `C 300`, `M340i`.
  return [...ofMake, ...ofModel, nameKey(model), 'm'];
}

function beginningsOf(...names: Iterable<string>[]): ReadonlySet<string> {
  const beginnings = new Set<string>();
  for (const key of names.flatMap((list) => [...list])) {
    for (let length = 1; length <= BEGINNING; length++) beginnings.add(key.slice(0, length));
  }
  return beginnings;
}

const file = JSON.parse(readDataFile('trims.json')) as TrimFile;
const keys = (names: readonly string[] = []) => new Set(names.map(nameKey));
const shownByKey = (names: readonly string[] = []) => new Map(names.map((name) => [nameKey(name), name]));

const plainWords = keys(file.words);
const between = new Map<string, number[]>();
for (const name of file.between) {
  between.set(nameKey(name), [...(between.get(nameKey(name)) ?? []), name.split(' ').length]);
}

/** Whether so many words are a name that may stand between a car's name and its trim. @param key of the words */
export const mayBeBetween = (key: string, wordCount: number): boolean => between.get(key)?.includes(wordCount) ?? false;
/** What a plain word before it is said of, so that it is no trim: `sport mode`. */
export const cancelling: ReadonlySet<string> = keys(file.cancels);

const CODE_LETTERS = 2;

function certaintyOf(name: string): Certainty {
  const key = nameKey(name);
  const parts = name.split(/[^a-z0-9]+/i).filter((part) => part !== '');
  if (key.length === 1 || /^\d+$/.test(key)) return 'word';
  if (plainWords.has(key) || parts.every((part) => part.length === 1 || plainWords.has(nameKey(part)))) return 'word';
  return key.length === CODE_LETTERS ? 'code' : 'name';
}

const emptyTable: TrimTable = {
  names: new Map(),
  before: new Map(),
  alone: new Set(),
  after: new Map(),
  packages: false,
  beginnings: new Set(),
  ownBeginnings: new Set(),
};
const tables = new Map<string, TrimTable>();

const MIN_PART = 4;

/**
 * Whether it is the model's name, a part of it, or begins with it: an Edge is no trim, nor is the Silverado of a Silverado
 * 1500. A Cooper's trim is a `Cooper S`.
 */
function isModelsName(make: string, model: string | null, key: string): boolean {
  if (model === null) return findModel(make, key) !== undefined;
  const own = nameKey(model);
  if (key.length < MIN_PART || own.length < MIN_PART) return own === key;
  return own.startsWith(key) || (key.startsWith(own) && make !== 'mini');
}

function readTable(make: string, model: string | null): TrimTable {
  const ofMake = file.makes[make];
  if (!ofMake) return emptyTable;
  const ofModel = ofMake.models?.[model ?? ''];
  const names = new Map<string, TrimName>();
  for (const name of [...(ofModel?.trims ?? []), ...(ofMake.trims ?? [])]) {
    const key = nameKey(name);
    if (key !== '' && !names.has(key)) names.set(key, { shown: name, certainty: certaintyOf(name) });
  }
  for (const name of ofModel?.never ?? []) names.delete(nameKey(name));
  for (const key of names.keys()) if (isModelsName(make, model, key)) names.delete(key);
  for (const [written, shown] of Object.entries({ ...file.spellings, ...ofMake.spellings })) {
    const name = names.get(nameKey(shown));
    if (name) names.set(nameKey(written), { shown: name.shown, certainty: certaintyOf(written) });
  }
  const before = shownByKey(ofMake.before);
  return {
    names,
    before,
    alone: keys(ofMake.alone),
    after: shownByKey(ofMake.after),
    packages: ofMake.packages ?? false,
    beginnings: beginningsOf(names.keys(), before.keys()),
    ownBeginnings: beginningsOf(ownNamesOf(make, model)),
  };
}

/** The trims of a model, or of all models of the make where the model is not known. @param make slug @param model slug */
export function trimsOf(make: string, model: string | null): TrimTable {
  const car = `${make} ${model}`;
  const known = tables.get(car);
  if (known) return known;
  const table = readTable(make, model);
  tables.set(car, table);
  return table;
}
