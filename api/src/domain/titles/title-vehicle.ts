import { nearestName } from './spelling.ts';
import { filler, looseModels, otherMakes, shoutedModels, weakMakes } from './title-lists.ts';
import { joined, namesAtEach, namesIn, type Span, type Word } from './title-words.ts';
import { byWeight, findModel, makeByModel, makeByName, modelNames } from './vehicle-names.ts';

/** Where a title names a car, and which. */
export interface VehicleMention {
  make: string;
  model: string | null;
  /** Where the make stands; where the model stands when the make is only implied. */
  makeSpan: Span;
  modelSpan: Span | null;
  /** The make is an ordinary word, or implied by a model that is one: a year must stand beside it. */
  weak: boolean;
}

interface MakeMention extends Span {
  make: string;
  weak: boolean;
  misspelt: boolean;
}

const NEAR = 3;

function isFiller(word: Word | undefined): boolean {
  return word !== undefined && (filler.has(word.text) || /^(19|20)\d\d$/.test(word.text));
}

/** Words between two spans that aren't filler; negative never. */
export function gapBetween(words: readonly Word[], a: Span, b: Span): number {
  const [from, to] = a.end <= b.start ? [a.end, b.start] : [b.end, a.start];
  let gap = 0;
  for (let index = from; index < to; index++) if (!isFiller(words[index])) gap++;
  return gap;
}

/** A make that only says whose engine is in: `Ford V8-Powered 1962 Willys`. */
function isEngineMaker(words: readonly Word[], span: Span): boolean {
  return [0, 1, 2].some((ahead) => ['powered', 'swapped', 'engined'].includes(words[span.end + ahead]?.text ?? ''));
}

function makeMentions(words: readonly Word[]): MakeMention[] {
  return namesIn(words, (key) => makeByName.get(key))
    .filter((span) => !isEngineMaker(words, span))
    .map(({ start, end, found }) => ({
      start,
      end,
      make: found,
      weak: weakMakes.has(joined(words, start, end)),
      misspelt: false,
    }));
}

function misspeltMakes(words: readonly Word[]): MakeMention[] {
  const found: MakeMention[] = [];
  for (const [start, { text }] of words.entries()) {
    const name = nearestName(text, makeByName.keys());
    const make = name && makeByName.get(name);
    if (make && !makeByModel.has(text)) found.push({ start, end: start + 1, make, weak: true, misspelt: true });
  }
  return found;
}

function isLoose(key: string): boolean {
  return looseModels.has(key) || /^[a-z]{1,2}$/.test(key) || /^\d+$/.test(key);
}

/** How well a model's mention fits a make's; null when they don't belong together. */
function fit(words: readonly Word[], make: MakeMention, model: Span, key: string): number | null {
  const overlaps = model.start < make.end && make.start < model.end;
  const gap = overlaps ? 0 : gapBetween(words, make, model);
  const before = !overlaps && model.start < make.start;
  if (isLoose(key) && (gap > 0 || before)) return null;
  // In lower case an English word; but nothing follows it when it ends the title.
  if (shoutedModels.has(key) && !words[model.start]?.capital && model.end < words.length) return null;
  const inBrackets = !overlaps && words.slice(make.end, model.start + 1).some(({ before: text }) => text.includes('('));
  return 100 - 8 * gap - (before ? 10 : 0) - (inBrackets ? 20 : 0) + Math.min(key.length, 12) / 4;
}

function withModel(words: readonly Word[], mentions: readonly MakeMention[]): VehicleMention | null {
  let best: { score: number; mention: VehicleMention } | null = null;
  for (const [order, make] of mentions.entries()) {
    for (const model of namesAtEach(words, (key) => findModel(make.make, key))) {
      const score = fit(words, make, model, joined(words, model.start, model.end));
      if (score === null) continue;
      const total = score - 4 * order - (make.misspelt ? 20 : 0);
      if (best && total <= best.score) continue;
      best = {
        score: total,
        mention: { make: make.make, model: model.found, makeSpan: make, modelSpan: model, weak: false },
      };
    }
  }
  return best && best.score > 40 ? best.mention : null;
}

/** A model's name with a letter wrong, near its make. */
function withMisspeltModel(words: readonly Word[], make: MakeMention): VehicleMention | null {
  for (let index = make.end; index < Math.min(words.length, make.end + NEAR); index++) {
    const word = words[index];
    const name = word && !isFiller(word) ? nearestName(word.text, modelNames(make.make)) : null;
    const model = name && findModel(make.make, name);
    if (model) {
      return { make: make.make, model, makeSpan: make, modelSpan: { start: index, end: index + 1 }, weak: false };
    }
  }
  return null;
}

/** Cars named by their model alone, the sure ones first. */
function impliedByModel(words: readonly Word[]): VehicleMention[] {
  return namesIn(words, (key) => makeByModel.get(key))
    .flatMap(({ start, end, found }) => {
      const key = joined(words, start, end);
      if (/^\d+$/.test(key) || (found.weak && looseModels.has(key))) return [];
      const span = { start, end };
      const model = findModel(found.make, key) ?? null;
      return [{ make: found.make, model, makeSpan: span, modelSpan: span, weak: found.weak }];
    })
    .sort((a, b) => Number(a.weak) - Number(b.weak));
}

function isOtherMake(words: readonly Word[], known: number): boolean {
  return namesIn(words, (key) => (otherMakes.has(key) ? true : undefined)).some(
    (span) => span.start < known && !isEngineMaker(words, span),
  );
}

/**
 * The cars that a title may name, the likeliest first; a weak one counts only with a year beside it.
 * `otherMake`: it names one of a make outside the catalogue first.
 */
export function findVehicles(words: readonly Word[]): { vehicles: VehicleMention[]; otherMake: boolean } {
  const mentions = makeMentions(words);
  const first = Math.min(words.length, ...mentions.filter(({ weak }) => !weak).map(({ start }) => start));
  if (isOtherMake(words, first)) return { vehicles: [], otherMake: true };
  const exact = withModel(words, mentions);
  const vehicles = exact ? [exact] : withoutExactModel(words, mentions);
  const says = (text: string) => words.some((word) => word.text === text);
  return {
    vehicles: vehicles.map((vehicle) =>
      vehicle.model ? { ...vehicle, model: byWeight(vehicle.make, vehicle.model, says) } : vehicle,
    ),
    otherMake: false,
  };
}

function withoutExactModel(words: readonly Word[], mentions: readonly MakeMention[]): VehicleMention[] {
  for (const make of mentions) {
    const found = withMisspeltModel(words, make);
    if (found) return [found];
  }
  const strong = mentions.find(({ weak }) => !weak);
  if (strong) return [bare(strong)];
  const implied = impliedByModel(words);
  if (implied[0] && !implied[0].weak) return implied;
  const misspelt = misspeltMakes(words);
  const repaired = withModel(words, misspelt);
  if (repaired) return [repaired];
  return [...mentions.map(bare), ...implied, ...misspelt.map(bare)];
}

function bare({ start, end, make, weak }: MakeMention): VehicleMention {
  return { make, model: null, makeSpan: { start, end }, modelSpan: null, weak };
}
