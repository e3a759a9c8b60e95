import { readDataFile } from '../../base/data-folder.ts';
import { isMake, isModelOf, makes, modelsOf, modelYears } from '../catalogue.ts';
import { ambiguousModels, nameKey } from './title-words.ts';

interface AliasFile {
  makes: Record<string, string>;
  models: Record<string, Record<string, string>>;
  outside: Record<string, string[]>;
  chassis: Record<string, Record<string, string>>;
  years: Record<string, Record<string, [number, number]>>;
  model_only: Record<string, string>;
  model_only_weak: string[];
  cross: { make: string; model: string; from?: number; to?: number; to_make: string; to_model: string }[];
}

/** A model's slug; null for a model outside the catalogue. */
export type ModelName = string | null;

const aliases = JSON.parse(readDataFile('aliases.json')) as AliasFile;

/** Slugs of makes by the key (see `nameKey`) of every spelling. */
export const makeByName = new Map<string, string>();
const modelByName = new Map<string, Map<string, ModelName>>();
const noModels = new Map<string, ModelName>();
const ownNames = new Map<string, Set<string>>();
const modelByChassis = new Map<string, Map<string, string>>();
/** Makes by the models that imply them; weak ones are also ordinary words. */
export const makeByModel = new Map<string, { make: string; weak: boolean }>();

for (const { value, label } of makes) {
  for (const name of [value, label]) makeByName.set(nameKey(name), value);
  const models = new Map<string, ModelName>();
  for (const name of aliases.outside[value] ?? []) models.set(nameKey(name), null);
  for (const model of modelsOf(value)) {
    const own = [nameKey(model.label), nameKey(model.value)];
    for (const name of own) models.set(name, model.value);
    ownNames.set(`${value} ${model.value}`, new Set(own));
  }
  for (const [name, model] of Object.entries(aliases.models[value] ?? {})) models.set(nameKey(name), model);
  modelByName.set(value, models);
  const codes = Object.entries(aliases.chassis[value] ?? {});
  modelByChassis.set(value, new Map(codes.map(([code, model]) => [nameKey(code), model])));
}
for (const [name, make] of Object.entries(aliases.makes)) makeByName.set(nameKey(name), make);

const SHORT = 3;
const MAX_NUMBERED_LENGTH = 3 + 3 + 3;

/** A model implies the only make that has it, unless the data says otherwise. */
function fillMakeByModel(): void {
  const weak = new Set(aliases.model_only_weak.map(nameKey));
  const owners = new Map<string, string | null>();
  const own = (key: string, make: string) => owners.set(key, owners.has(key) && owners.get(key) !== make ? null : make);
  for (const [make, models] of modelByName) for (const [key, model] of models) if (model !== null) own(key, make);
  for (const [make, codes] of modelByChassis) for (const key of codes.keys()) own(key, make);
  for (const [key, make] of owners) {
    if (make === null || ambiguousModels.has(key) || makeByName.has(key) || !/[a-z]/.test(key)) continue;
    // Two letters may be any abbreviation. Three, or ones with a digit, are weak.
    if (key.length < SHORT && !/\d/.test(key)) continue;
    makeByModel.set(key, { make, weak: weak.has(key) || key.length <= SHORT });
  }
  for (const [name, make] of Object.entries(aliases.model_only)) {
    const key = nameKey(name);
    makeByModel.set(key, { make, weak: weak.has(key) });
  }
}
fillMakeByModel();

/** The letters by which a make names models before a number: `E 350` is the E-Class, `RX350` the RX. */
const letterFamilies = new Map<string, Set<string>>();
for (const { value: make } of makes) {
  const letters = new Set<string>();
  for (const [name, model] of modelByName.get(make) ?? []) {
    const [, family] = /^([a-z]{1,3})\d{2,3}[a-z]?$/.exec(name) ?? [];
    if (family && (model === family || model === `${family}-class`)) letters.add(family);
  }
  if (letters.size > 2) letterFamilies.set(make, letters);
}

/**
 * The model of a make by its name: by the catalogue, an alias, or the make's numbering. null for a model outside the
 * catalogue, undefined for an unknown name. @param key of `nameKey` @param isOneWord whether a trim may follow a number
 */
export function findModel(make: string, key: string, isOneWord = true): ModelName | undefined {
  const known = modelByName.get(make)?.get(key);
  if (known !== undefined) return known;
  return key.length > MAX_NUMBERED_LENGTH ? undefined : findNumbered(make, key, isOneWord);
}

/** Splits a name like `c300e` into letters, digits and letters; null for any other name. */
function numberedName(key: string): [letters: string, digits: string, rest: string] | null {
  let first = 0;
  while (first < key.length && isLetter(key, first)) first++;
  let last = first;
  while (last < key.length && !isLetter(key, last)) last++;
  if (first > MAX_LETTERS || last - first < 2 || last - first > 3 || key.length - last > MAX_LETTERS) return null;
  return [key.slice(0, first), key.slice(first, last), key.slice(last)];
}
const MAX_LETTERS = 3;
/** The letters after a BMW's number: 328i, 330ci, 745li, 325xit. */
const SERIES_LETTERS = /^[cdeilstx]*$/;
const isLetter = (key: string, index: number) => key.charCodeAt(index) > 57;

function findNumbered(make: string, key: string, isOneWord: boolean): ModelName | undefined {
  const models = modelByName.get(make) ?? noModels;
  const [letters, digits, rest] = numberedName(key) ?? [];
  if (letters === undefined || digits === undefined || rest === undefined) return undefined;
  const families = letterFamilies.get(make);
  const ofFamily = (family: string) =>
    families?.has(family) ? (models.get(`${family}class`) ?? models.get(family)) : undefined;
  if (letters !== '') {
    // In two words the second is no trim, as in `E350 box`.
    if (!isOneWord && rest.length > 1) return undefined;
    // Otherwise a trim follows the number: Q50S, V70R, F150XL.
    return ofFamily(letters) ?? (rest === '' ? undefined : models.get(letters + digits));
  }
  if (digits.length !== 3) return undefined;
  // Until 1993 the number came first, and sellers still write it so: 560SEL, 350 RX.
  for (let family = rest; family !== ''; family = family.slice(0, -1)) {
    const model = digits >= '200' ? ofFamily(family) : undefined;
    if (model !== undefined) return model;
  }
  return SERIES_LETTERS.test(rest) ? models.get(`${digits[0]}series`) : undefined;
}

/** The model that a number such as `s550` or `gx470` names in the numbering of one make alone; null for any other word. */
export function numberedModel(text: string): { make: string; model: string } | null {
  if (!/^[a-z]{1,3}\d{3}[a-z]?$/.test(text)) return null;
  let only: { make: string; model: string } | null = null;
  for (const make of letterFamilies.keys()) {
    const model = findNumbered(make, text, true);
    if (model === undefined || model === null) continue;
    if (only) return null;
    only = { make, model };
  }
  return only;
}

/** The model of a make by its chassis code: `E46`, `FJ40`. @param key of `nameKey` */
export function modelOfChassis(make: string, key: string): string | undefined {
  return modelByChassis.get(make)?.get(key);
}

/** Whether the name is the model's name in the catalogue. */
export function isOwnName(make: string, model: string, key: string): boolean {
  return ownNames.get(`${make} ${model}`)?.has(key) ?? false;
}

/** All names of a make's models, by which misspelt ones are found. */
export function modelNames(make: string): ReadonlyMap<string, ModelName> {
  return modelByName.get(make) ?? noModels;
}

/**
 * The first and last model year of a model; null if unknown. At the ends of the catalogue they may be earlier or later.
 */
export function yearsOf(make: string, model: string): [number, number] | null {
  return aliases.years[make]?.[model] ?? modelYears(make, model);
}

const weights = /^(.*-)?1500$/;

/** The 2500 or 3500 variant of a 1500 model, if the title contains that number. */
export function byWeight(make: string, model: string, says: (word: string) => boolean): string {
  const [all, family = ''] = weights.exec(model) ?? [];
  if (!all) return model;
  for (const weight of ['2500', '3500']) {
    const sibling = `${family}${weight}`;
    const spellings = [weight, `${weight}hd`, `c${weight}`, `k${weight}`];
    if (spellings.some(says) && isModelOf(make, sibling)) return sibling;
  }
  return model;
}

/** The make and model in the catalogue for those that a seller wrote: a Dodge Ram of 2012 is a Ram. */
export function catalogueModel(make: string, model: string, year: number | null): { make: string; model: string } {
  for (const rule of aliases.cross) {
    if (rule.make !== make || rule.model !== model) continue;
    if (rule.from !== undefined && (year === null || year < rule.from)) continue;
    if (rule.to !== undefined && (year === null || year > rule.to)) continue;
    if (isMake(rule.to_make)) return { make: rule.to_make, model: rule.to_model };
  }
  return { make, model };
}
