import { joinedVehicle } from '../titles/implied-vehicle.ts';
import { isWithinEdits, nearestName } from '../titles/spelling.ts';
import { joined, type Word, weakMakes } from '../titles/title-words.ts';
import {
  byWeight,
  catalogueModel,
  findModel,
  isOwnName,
  type ModelName,
  makeByModel,
  makeByName,
  modelNames,
  modelOfChassis,
} from '../titles/vehicle-names.ts';
import type { Step } from './wish-fields.ts';
import { blocked, filler, isJoined, isSlip, longestName, valueByName } from './wish-text.ts';

/** The car that was named last, by whose make further models are known. */
export interface LastCar {
  make: string;
  /** The index after its name. */
  end: number;
}

/** Words between the cars of a list. */
export const separators: ReadonlySet<string> = new Set(['or', 'and', 'a', 'an', 'the']);
const isNumber = (text: string) => /^\d+$/.test(text);

/** Reads the name of a car: a make, a make and a model, or a model. */
export function carAt(words: readonly Word[], start: number, last: LastCar | null): Step {
  const make = makeAt(words, start);
  if (make) return withModel(words, start, make);
  const ofLast = last && modelOfLast(words, start, last);
  if (ofLast) return ofLast;
  const implied = impliedAt(words, start);
  if (implied) return implied;
  const word = words[start];
  const inOneWord = word && joinedVehicle([word]);
  return inOneWord ? car(words, start, start + 1, inOneWord.make, inOneWord.model, false) : null;
}

function makeAt(words: readonly Word[], start: number) {
  const found = longestName(words, start, (key) => (filler.has(key) ? undefined : makeByName.get(key)));
  if (found) return found;
  const make = makeByName.get(singular(words[start]?.text ?? ''));
  return make === undefined ? null : { end: start + 1, found: make };
}

/** `Civics`, `Priuses`. */
const singular = (text: string) => (text.length > 4 ? text.replace(/(?<=s)es$|s$/, '') : text);

function withModel(words: readonly Word[], start: number, { end, found: make }: { end: number; found: string }): Step {
  const isSameName = !/[;|()?!]|\.\s/.test(words[end]?.before ?? '');
  const model = (isSameName ? modelAt(words, end, make) : null) ?? modelWithin(words, start, end, make);
  if (!model) return car(words, start, end, make, null, weakMakes.has(words[start]?.text ?? ''));
  return car(words, start, model.end, make, model.found, false, end);
}

/** A make's name that is a model's too: `mini cooper`. */
function modelWithin(words: readonly Word[], start: number, end: number, make: string) {
  const found = longestName(words, start, (key) => modelOf(make, key, false) ?? undefined);
  return found && found.end >= end ? found : null;
}

function modelAt(words: readonly Word[], start: number, make: string): { end: number; found: ModelName } | null {
  const first = words[start];
  if (!first) return null;
  const exact = longestName(words, start, (key) => {
    const model = modelOf(make, key, key === first.text);
    // `Toyota pickup` asks for a kind of car, as Toyota's `Pickup` is not in the catalogue.
    return model === null && (valueByName.has(key) || filler.has(key)) ? undefined : model;
  });
  if (exact && !isOtherNumber(words, start, exact.end)) return shortest(words, start, exact, make);
  const one = singular(first.text);
  const model = one === first.text ? undefined : modelOf(make, one, true);
  return model === undefined ? null : { end: start + 1, found: model };
}

/** The shortest name of the same model, so that a trim or body after it is read for itself: `Civic Si`, `G35 coupe`. */
function shortest(words: readonly Word[], start: number, exact: { end: number; found: ModelName }, make: string) {
  const keys = words[start]?.keys ?? [];
  if (exact.found === null || isOwnName(make, exact.found, keys[exact.end - start - 1] ?? '')) return exact;
  for (let end = start + 1; end < exact.end; end++) {
    const rest = words.slice(end, exact.end);
    const isSame = modelOf(make, keys[end - start - 1] ?? '', end === start + 1) === exact.found;
    const isOther = (modelOf(make, joined(words, end, exact.end), false) ?? null) !== null;
    if (isSame && !isOther && rest.every(({ text }) => !/\d/.test(text))) return { ...exact, end };
  }
  return exact;
}

/** Whether the number that would be a model's name is a price, a mileage or a distance. */
function isOtherNumber(words: readonly Word[], start: number, end: number): boolean {
  const text = words[start]?.text ?? '';
  if (!isNumber(text) || end > start + 1) return false;
  const next = words[end];
  return (
    /[$#]/.test(words[start]?.before ?? '') ||
    ['miles', 'mile', 'mi', 'km', 'k', 'grand', 'thousand', 'dollars', 'bucks'].includes(next?.text ?? '') ||
    (next?.before === ',' && /^\d{3}/.test(next.text))
  );
}

function modelOf(make: string, key: string, isOneWord: boolean): ModelName | undefined {
  const model = findModel(make, key, isOneWord);
  return model === undefined ? modelOfChassis(make, key) : model;
}

/** Another model of the make that was named last: `Camry or Corolla`, `Ram 1500 / 2500`. */
function modelOfLast(words: readonly Word[], start: number, last: LastCar): Step {
  if (start - last.end > 2) return null;
  const between = words.slice(last.end, start);
  if (!between.every(({ text }) => separators.has(text))) return null;
  const isList = between.length > 0 || /[/,&]/.test(words[start]?.before ?? '');
  if (!isList) return null;
  const model = modelAt(words, start, last.make);
  if (!model || model.found === null || blocked.has(words[start]?.text ?? '')) return null;
  return car(words, start, model.end, last.make, model.found, false);
}

function impliedAt(words: readonly Word[], start: number): Step {
  const single = singular(words[start]?.text ?? '');
  const known = (key: string) => (filler.has(key) ? undefined : makeByModel.get(key));
  const implied = longestName(words, start, known) ?? optional(known(single), start + 1);
  if (!implied) return null;
  const { make, weak } = implied.found;
  const model = modelAt(words, start, make);
  const isUsual = weak && isOrdinary(words, start);
  if (isUsual) return null;
  if (!model || model.found !== null)
    return car(words, start, model?.end ?? implied.end, make, model?.found ?? null, weak);
  if (weak) return null;
  // The name tells the make, but is not in the catalogue: `Chevelle`.
  const named = { start, end: model.end } as const;
  return {
    end: model.end,
    parts: [
      { ...named, kind: 'car', make, model: null, isWeak: weak },
      { ...named, kind: 'refused', reason: 'unknown model' },
    ],
  };
}

/** Words after which a name that is an ordinary word is that word: `that can fit five`. */
const verbLeads = new Set('can could to will would must should that it they we you not does do and who'.split(' '));

const isOrdinary = (words: readonly Word[], start: number) =>
  start > 0 && isJoined(words[start]?.before ?? '') && verbLeads.has(words[start - 1]?.text ?? '');

const optional = <T>(found: T | undefined, end: number) => (found === undefined ? null : { found, end });

/** @param modelStart where an unknown model's name begins */
function car(
  words: readonly Word[],
  start: number,
  end: number,
  make: string,
  model: ModelName,
  isWeak: boolean,
  modelStart = end,
): Step {
  const heavy =
    model && byWeight(make, model, (text) => words.slice(start, end + 1).some((word) => word.text === text));
  const named = heavy ? catalogueModel(make, heavy, null) : { make, model: null };
  const found = { start, end, kind: 'car', ...named, isWeak } as const;
  if (model !== null || modelStart === end) return { end, parts: [found] };
  return {
    end,
    parts: [
      { ...found, end: modelStart },
      { start: modelStart, end, kind: 'refused', reason: 'unknown model' },
    ],
  };
}

const MIN_MISSPELT = 5;
const MIN_MISSPELT_ALONE = 6;

/** Reads a misspelt name of a car; only for words that nothing else explains. */
export function misspeltCarAt(words: readonly Word[], start: number, last: LastCar | null): Step {
  const text = words[start]?.text ?? '';
  if (text.length < MIN_MISSPELT || filler.has(text)) return null;
  const isNext = last !== null && words.slice(last.end, start).every(({ text: between }) => separators.has(between));
  const model = isNext ? nearestName(text, modelNames(last.make)) : null;
  if (isNext && model) return car(words, start, start + 1, last.make, findModel(last.make, model) ?? null, false);
  const make = nearestName(text, makeByName);
  const found = make && makeByName.get(make);
  if (make && found) {
    const exact = withModel(words, start, { end: start + 1, found });
    const isNamed = exact?.parts.some((part) => part.kind === 'car' && part.model !== null);
    return isNamed || isWithinEdits(text, make, 1) ? exact : null;
  }
  const alone = nearestName(text, makeByModel);
  const implied = alone ? makeByModel.get(alone) : undefined;
  if (!alone || !implied || implied.weak || text.length < MIN_MISSPELT_ALONE || !isSlip(text, alone)) return null;
  return car(words, start, start + 1, implied.make, findModel(implied.make, alone) ?? null, implied.weak);
}
