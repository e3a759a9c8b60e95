import { readDataFile } from '../../base/data-folder.ts';
import { isMake, makes, modelsOf } from '../catalogue.ts';
import { nameKey } from './title-words.ts';

interface AliasFile {
  makes: Record<string, string>;
  models: Record<string, Record<string, string>>;
  model_only: Record<string, string>;
  model_only_weak: Record<string, string>;
  cross: { make: string; model: string; from?: number; to?: number; to_make?: string; to_model?: string }[];
  negatives: string[];
}

const aliases = JSON.parse(readDataFile('aliases.json')) as AliasFile;

/** Make slug by every spelling, keyed by `nameKey`. */
export const makeByName = new Map<string, string>();
const modelByName = new Map<string, Map<string, string>>();
/** Models whose name alone says the make; weak ones are ordinary words too. */
export const makeByModel = new Map<string, { make: string; weak: boolean }>();

for (const { value, label } of makes) {
  for (const name of [value, label]) makeByName.set(nameKey(name), value);
  const models = new Map<string, string>();
  for (const model of modelsOf(value)) {
    for (const name of [model.label, model.value]) models.set(nameKey(name), model.value);
  }
  for (const [name, model] of Object.entries(aliases.models[value] ?? {})) models.set(nameKey(name), model);
  modelByName.set(value, models);
}
for (const [name, make] of Object.entries(aliases.makes)) makeByName.set(nameKey(name), make);
for (const [name, make] of Object.entries(aliases.model_only_weak))
  makeByModel.set(nameKey(name), { make, weak: true });
for (const [name, make] of Object.entries(aliases.model_only)) {
  if (!makeByModel.has(nameKey(name))) makeByModel.set(nameKey(name), { make, weak: false });
}

/** Makes that name models by a letter class and a number: `E 350` is the E-Class, `RX350` the RX. */
const letterFamilies = new Map<string, Set<string>>();
for (const { value: make } of makes) {
  const letters = new Set<string>();
  for (const [name, model] of modelByName.get(make) ?? []) {
    const [, family] = /^([a-z]{1,3})\d{2,3}[a-z]?$/.exec(name) ?? [];
    if (family && (model === family || model === `${family}-class`)) letters.add(family);
  }
  if (letters.size > 2) letterFamilies.set(make, letters);
}

/** The model that a name means for a make, by catalogue, alias or the make's way of numbering. @param key by `nameKey` */
export function findModel(make: string, key: string): string | undefined {
  const models = modelByName.get(make);
  if (!models) return undefined;
  const known = models.get(key);
  if (known) return known;
  if (!/\d/.test(key)) return undefined;
  const [, family, rest] = /^([a-z]{1,3})(\d{2,3}[a-z]{0,3})$/.exec(key) ?? [];
  const families = letterFamilies.get(make);
  if (family && rest && families?.has(family)) return models.get(`${family}class`) ?? models.get(family);
  // The number first, as until 1993 and by habit since: 560SEL, 350 RX.
  const reversed = /^[2-9]\d{2}([a-z]{1,3})$/.exec(key)?.[1];
  for (let letters = reversed ?? ''; families && letters !== ''; letters = letters.slice(0, -1)) {
    if (families.has(letters)) return models.get(`${letters}class`) ?? models.get(letters);
  }
  const [, series] = /^([1-8])\d{2}[a-z]{0,3}$/.exec(key) ?? [];
  if (series && models.has(`${series}series`)) return models.get(`${series}series`);
  // A trim glued on: Q50S, V70R, F150XL.
  const [, plain] = /^([a-z]{1,3}\d{2,3})[a-z]{1,3}$/.exec(key) ?? [];
  return plain ? models.get(plain) : undefined;
}

/** Spelled-out names of a make's models, for finding misspelt ones. */
export function modelNames(make: string): Iterable<string> {
  return modelByName.get(make)?.keys() ?? [];
}

const weights = /^(.*-)?1500$/;

/** The heavier sibling of a half-ton model when the title says 2500 or 3500 beside it. */
export function byWeight(make: string, model: string, says: (word: string) => boolean): string {
  const [all, family = ''] = weights.exec(model) ?? [];
  if (!all) return model;
  for (const weight of ['2500', '3500']) {
    const sibling = `${family}${weight}`;
    if ([weight, `${weight}hd`].some(says) && modelsOf(make).some(({ value }) => value === sibling)) return sibling;
  }
  return model;
}

/** The make and model under which the catalogue files what a seller wrote: a Dodge Ram of 2012 is a Ram. */
export function filedUnder(make: string, model: string, year: number | null): { make: string; model: string } {
  for (const rule of aliases.cross) {
    if (rule.make !== make || rule.model !== model || !rule.to_make || !rule.to_model) continue;
    if (rule.from !== undefined && (year === null || year < rule.from)) continue;
    if (rule.to !== undefined && (year === null || year > rule.to)) continue;
    if (isMake(rule.to_make)) return { make: rule.to_make, model: rule.to_model };
  }
  return { make, model };
}
