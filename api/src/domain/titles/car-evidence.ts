import { readDataFile } from '../../base/data-folder.ts';
import { type NamedVehicle, signsOf } from './car-signs.ts';
import { filler, hasName, type Word } from './title-words.ts';
import { makeByName } from './vehicle-names.ts';

/** How the year of a title is written: in full or in two digits, beside the car's name or elsewhere. */
export type YearKind = 'none' | 'beside' | 'elsewhere' | 'short beside' | 'short elsewhere';

/** A vehicle as a title names it, with what its name says about whether it is one. */
export interface TitledVehicle extends NamedVehicle {
  /** How the make is written. */
  naming: 'written' | 'weak' | 'misspelt' | 'implied' | 'implied weak' | 'implied misspelt';
  yearKind: YearKind;
}

/** A table made by `npm run -s train:cars`; `api/docs/is-it-a-car.md` explains it. Weights are logarithms of odds. */
export interface EvidenceTable {
  /** Of what is found in a title, and of the sums over its words. */
  signs: Readonly<Record<string, number>>;
  /** Of a word anywhere in the title, right before the car's name, and right behind it. */
  words: Readonly<Record<string, number>>;
  before: Readonly<Record<string, number>>;
  after: Readonly<Record<string, number>>;
}

const MAX_UNKNOWN = 4;
const MAX_BEFORE = 3;

/** A number's shape stands for it: `5500` is `9999`, `s890w` is `a999a`, `$5500` is `$9999`. */
export function shapeOf({ text, before }: Word): string {
  const shape = text
    .slice(0, MAX_SHAPED)
    .replace(/\d/g, '9')
    .replace(/[a-z]+/g, 'a');
  return /\$\s?$/.test(before) ? `$${shape}` : shape;
}
const MAX_SHAPED = 10;
const hasDigit = (text: string) => /\d/.test(text);

/** How the words beside a vehicle's name are looked up: each by itself or, if it has digits, by its shape too. */
export function contextOf(words: readonly Word[], { start, end, yearIndex }: TitledVehicle): readonly Word[] {
  return words.filter(
    ({ text }, index) => (index < start || index >= end) && index !== yearIndex && (text.length > 1 || hasDigit(text)),
  );
}

type Weights = ReadonlyMap<string, number>;
const weigh = (weights: Weights, word: Word | undefined) =>
  word === undefined
    ? undefined
    : (weights.get(word.text) ?? (hasDigit(word.text) ? weights.get(shapeOf(word)) : undefined));

/** How much of the car's name is stated, as words weigh less beside a full name. */
function strengthOf({ hasMake, hasModel, hasYear }: NamedVehicle): 'full' | 'half' | 'bare' {
  if (hasYear && hasModel) return 'full';
  return hasYear || (hasMake && hasModel) ? 'half' : 'bare';
}

/** How many words stand before the name, without the year and words that may stand beside any name. */
function countBefore(words: readonly Word[], { start, yearIndex }: TitledVehicle): number {
  let count = 0;
  for (let index = 0; index < start && count < MAX_BEFORE; index++) {
    const text = words[index]?.text ?? '';
    if (index !== yearIndex && !filler.has(text) && !/^\d+$/.test(text)) count++;
  }
  return count;
}

function lengthOf(count: number): string {
  if (count === 0) return 'no other word';
  if (count <= 2) return 'few other words';
  return count <= 6 ? 'some other words' : 'many other words';
}

/** The weights of words, as sums over a title's words: what speaks for a car, what against, and what is unknown. */
export interface WordWeights {
  words: Weights;
  before: Weights;
  after: Weights;
}

/**
 * Everything that a title shows about whether it offers the vehicle that it names, as named amounts; an amount is 1 but
 * for the sums over words.
 */
export function featuresOf(words: readonly Word[], vehicle: TitledVehicle, weights: WordWeights): Map<string, number> {
  const strength = strengthOf(vehicle);
  const model = vehicle.isCatalogued ? 'model' : vehicle.hasModel ? 'other model' : 'no model';
  const features = new Map<string, number>();
  const state = (name: string, amount = 1) => features.set(`${strength}: ${name}`, amount);
  state('any');
  features.set(`make ${vehicle.naming}, ${model}`, 1);
  features.set(`year ${vehicle.yearKind}`, 1);
  state(`make ${vehicle.naming}, year ${vehicle.yearKind}`);
  for (const sign of signsOf(words, vehicle)) {
    features.set(sign, 1);
    state(sign);
  }
  const context = contextOf(words, vehicle);
  state(`${countBefore(words, vehicle)} words before`);
  state(lengthOf(context.length));
  if (hasName(context, (key) => makeByName.has(key))) state('another make');
  let unknown = 0;
  let pro = 0;
  let contra = 0;
  for (const word of context) {
    const weight = weigh(weights.words, word);
    if (weight === undefined) unknown++;
    else if (weight > 0) pro += weight;
    else contra -= weight;
  }
  state(`${Math.min(unknown, MAX_UNKNOWN)} unknown words`);
  if (pro > 0) state('words for', Math.min(pro, MAX_PRO));
  if (contra > 0) state('words against', Math.min(contra, MAX_CONTRA));
  const beside =
    (weigh(weights.before, words[vehicle.start - 1]) ?? 0) + (weigh(weights.after, words[vehicle.end]) ?? 0);
  if (beside !== 0) state('words beside', beside);
  return features;
}
/** Much praise makes no car of a part. */
const MAX_PRO = 6;
const MAX_CONTRA = 12;

const table = JSON.parse(readDataFile('car-evidence.json')) as EvidenceTable;
const mapOf = (weights: Readonly<Record<string, number>>): Weights => new Map(Object.entries(weights));
const signWeights = mapOf(table.signs);
const wordWeights: WordWeights = { words: mapOf(table.words), before: mapOf(table.before), after: mapOf(table.after) };

/** The logarithm of the odds that a title offers the vehicle that it names as a whole car; above 0 it is one. */
export function evidenceOf(words: readonly Word[], vehicle: TitledVehicle): number {
  let sum = 0;
  for (const [name, amount] of featuresOf(words, vehicle, wordWeights)) sum += (signWeights.get(name) ?? 0) * amount;
  return sum;
}
