import { nearestName } from './spelling.ts';
import type { Word } from './title-words.ts';
import { mentionOf, type VehicleMention } from './vehicle-mention.ts';
import { findModel, makeByModel, makeByName, numberedModel } from './vehicle-names.ts';

/** The number of a model beside a year implies the only make that numbers so: `07 S550`. */
export function impliedByNumber(words: readonly Word[]): VehicleMention[] {
  return words.flatMap(({ text }, start) => {
    const found = numberedModel(text);
    if (!found) return [];
    const span = { start, end: start + 1 };
    return [{ ...mentionOf(found.make, found.model, span, span), weak: true, implied: true }];
  });
}

/** Models that are misspelt and name no make: `2004 Toaureg`. */
export function misspeltModels(words: readonly Word[]): VehicleMention[] {
  return words.flatMap(({ text }, start) => {
    if (text.length < MIN_MISSPELT_MODEL) return [];
    const name = nearestName(text, makeByModel);
    const found = name === null ? undefined : makeByModel.get(name);
    if (!found || name === null) return [];
    const span = { start, end: start + 1 };
    const model = findModel(found.make, name) ?? null;
    return [{ ...mentionOf(found.make, model, span, span), weak: true, implied: true, misspelt: true }];
  });
}
const MIN_MISSPELT_MODEL = 6;

const MIN_JOINED_LENGTH = 5;

/** A make and its model in one word: `bmw330i`. */
export function joinedVehicle(words: readonly Word[]): VehicleMention | null {
  for (const [start, { text }] of words.entries()) {
    if (text.length < MIN_JOINED_LENGTH || !/^[a-z]{2,}\d/.test(text)) continue;
    const letters = /^[a-z]+/.exec(text)?.[0] ?? '';
    for (let cut = letters.length; cut >= 2; cut--) {
      const make = makeByName.get(text.slice(0, cut));
      const model = make === undefined ? undefined : findModel(make, text.slice(cut));
      if (make === undefined || model === undefined) continue;
      const span = { start, end: start + 1 };
      return mentionOf(make, model, span, span);
    }
  }
  return null;
}
