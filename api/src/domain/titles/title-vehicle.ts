import { nearestName } from './spelling.ts';
import {
  filler,
  generalModels,
  joined,
  looseModels,
  namesIn,
  otherMakes,
  type Span,
  shoutedModels,
  type Word,
  weakMakes,
} from './title-words.ts';
import {
  byWeight,
  findModel,
  isOwnName,
  type ModelName,
  makeByModel,
  makeByName,
  modelNames,
  modelOfChassis,
  yearsOf,
} from './vehicle-names.ts';

/** Where a title names a car, and which. */
export interface VehicleMention {
  make: string;
  model: ModelName;
  /** Where the make stands; where the model stands when the make is only implied. */
  makeSpan: Span;
  /** Also where a model stands that the catalogue doesn't have. */
  modelSpan: Span | null;
  /** The make is an ordinary word, or implied by a model that is one: a year must stand beside it. */
  weak: boolean;
  /** The make isn't written: its model says it. */
  implied: boolean;
}

interface MakeMention extends Span {
  make: string;
  weak: boolean;
  misspelt: boolean;
}

const NEAR = 3;
/** What a model's fitness loses: by each word between, by standing first, in brackets, for years, as a general name or code. */
const COST = { word: 8, before: 10, brackets: 20, years: 7, general: 25, chassis: 30, laterMake: 4, misspelt: 20 };
const MIN_FIT = 40;
/** A title that names more makes lists them to be found by. */
const MAX_MAKES = 8;

const isYear = (text: string) => text.length === 4 && /^(19|20)\d\d$/.test(text);
const isFiller = (word: Word | undefined) => word !== undefined && (filler.has(word.text) || isYear(word.text));

/** A word of `5.0`. */
function isEngineSize(words: readonly Word[], index: number): boolean {
  if (!/^\d$/.test(words[index]?.text ?? '')) return false;
  return words[index]?.before === '.' || words[index + 1]?.before === '.';
}

/** Words between two spans that aren't filler; negative never. */
function gapBetween(words: readonly Word[], a: Span, b: Span): number {
  const [from, to] = a.end <= b.start ? [a.end, b.start] : [b.end, a.start];
  let gap = 0;
  for (let index = from; index < to; index++) if (!isFiller(words[index]) && !isEngineSize(words, index)) gap++;
  return gap;
}

/** A make that only says whose engine is in: `Ford V8-Powered 1962 Willys`. */
function isEngineMaker(words: readonly Word[], span: Span): boolean {
  return [0, 1, 2].some((ahead) => ['powered', 'swapped', 'engined'].includes(words[span.end + ahead]?.text ?? ''));
}

function makeMentions(words: readonly Word[]): MakeMention[] {
  return namesIn(words, (key) => makeByName.get(key))
    .filter((span) => !isEngineMaker(words, span))
    .slice(0, MAX_MAKES)
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
    const name = makeByModel.has(text) ? null : nearestName(text, makeByName);
    const make = name && makeByName.get(name);
    if (make) found.push({ start, end: start + 1, make, weak: true, misspelt: true });
  }
  return found;
}

function isLoose(key: string): boolean {
  return looseModels.has(key) || /^([a-z]{1,2}|\d+)$/.test(key);
}

/** A weight class, or a name like `Super Duty`, is of many models: another name beside it says which. */
function isGeneral(key: string): boolean {
  return generalModels.has(key) || /^([ckgrv]|ck)?[1-5]500(hd)?$/.test(key);
}

/** How well a model's mention fits a make's; null when they don't belong together. */
function fit(words: readonly Word[], make: MakeMention, model: Span, key: string, years: number) {
  const overlaps = model.start < make.end && make.start < model.end;
  const gap = overlaps ? 0 : gapBetween(words, make, model);
  const before = !overlaps && model.start < make.start;
  // `500 Fiat` with the year beside; else such a name counts only right behind its make.
  const mayLead = key.length > 1 && years > 0;
  if (isLoose(key) && modelOfChassis(make.make, key) === undefined && (gap > 0 || (before && !mayLead))) return null;
  // The BMW 2002 is a model only where another number is the year.
  if (isYear(key) && years < 2) return null;
  // In lower case an English word; but nothing follows it when it ends the title.
  if (shoutedModels.has(key) && !words[model.start]?.capital && model.end < words.length) return null;
  const inBrackets = !overlaps && words.slice(make.end, model.start + 1).some(({ before: text }) => text.includes('('));
  let score = 100 - COST.word * gap + Math.min(key.length, 24) / 4;
  if (before) score -= COST.before;
  if (inBrackets) score -= COST.brackets;
  if (isGeneral(key)) score -= COST.general;
  return score;
}

/** The catalogue begins and ends with these: before and after, nothing is known. */
const FIRST_KNOWN = 1997;
const LAST_KNOWN = 2026;
/** The catalogue's years have gaps; so long before its first one a model written in full was another one's trim. */
const CERTAINLY_BEFORE = 15;

/** The model was never sold in the title's year: an older one of the same name is meant, or a trim. */
function isOutOfYears(make: string, model: ModelName, key: string, year: number | null): boolean {
  if (model === null || year === null) return false;
  const [first, last] = yearsOf(make, model) ?? [FIRST_KNOWN, LAST_KNOWN];
  if (isOwnName(make, model, key)) return first > FIRST_KNOWN && year < first - CERTAINLY_BEFORE;
  return (first > FIRST_KNOWN && year < first - 1) || (last < LAST_KNOWN && year > last + 1);
}

function withModel(
  words: readonly Word[],
  mentions: readonly MakeMention[],
  year: number | null,
): VehicleMention | null {
  const years = words.filter(({ text }) => isYear(text)).length;
  const known = new Map<string, ModelMention[]>();
  const namesOf = (make: string) => known.get(make) ?? known.set(make, modelMentions(words, make)).get(make) ?? [];
  let best: { score: number; mention: VehicleMention } | null = null;
  for (const [order, make] of mentions.entries()) {
    const byMake = COST.laterMake * order + (make.misspelt ? COST.misspelt : 0);
    for (const { start, end, model, key, cost, longer } of namesOf(make.make)) {
      const score = fit(words, make, { start, end }, key, years);
      if (score === null) continue;
      const older = longer && isOutOfYears(make.make, model, key, year);
      const total = score - cost - byMake - (older ? COST.years : 0);
      if (best && total <= best.score) continue;
      const modelSpan = { start, end };
      const mention = { make: make.make, model, makeSpan: make, modelSpan, weak: false, implied: false };
      best = { score: total, mention };
    }
  }
  return best && best.score > MIN_FIT ? best.mention : null;
}

interface ModelMention extends Span {
  model: ModelName;
  key: string;
  /** What it costs to be but a chassis code. */
  cost: number;
  /** Another model's name is part of it: `Mustang Shelby GT500`. */
  longer: boolean;
}

/** Every name of a make's models, short and long. */
function modelMentions(words: readonly Word[], make: string): ModelMention[] {
  const all: ModelMention[] = [];
  for (const [start, { keys }] of words.entries()) {
    for (const [more, key] of keys.entries()) {
      const model = findModel(make, key, more === 0);
      const ofCode = model === undefined ? modelOfChassis(make, key) : undefined;
      const named = model === undefined ? ofCode : model;
      if (named === undefined) continue;
      const cost = ofCode === undefined ? 0 : COST.chassis;
      all.push({ start, end: start + more + 1, model: named, key, cost, longer: false });
    }
  }
  const isPartOf = (short: Span, long: Span) =>
    long.start <= short.start && short.end <= long.end && long.end - long.start > short.end - short.start;
  return all
    .filter((mention) => !isLoose(mention.key) || !all.some((long) => isPartOf(mention, long)))
    .map((mention) => ({ ...mention, longer: all.some((short) => isPartOf(short, mention) && !isLoose(short.key)) }));
}

/** A model's name with a letter wrong, near its make. */
function withMisspeltModel(words: readonly Word[], make: MakeMention): VehicleMention | null {
  for (let index = make.end; index < Math.min(words.length, make.end + NEAR); index++) {
    const word = words[index];
    const name = word && !isFiller(word) ? nearestName(word.text, modelNames(make.make)) : null;
    const model = name ? findModel(make.make, name) : undefined;
    if (model !== undefined) {
      const modelSpan = { start: index, end: index + 1 };
      return { make: make.make, model, makeSpan: make, modelSpan, weak: false, implied: false };
    }
  }
  return null;
}

/** Cars named by their model alone, the sure ones first. */
function impliedByModel(words: readonly Word[], year: number | null): VehicleMention[] {
  return namesIn(words, (key) => makeByModel.get(key))
    .slice(0, MAX_MAKES)
    .map(({ start, end, found }): VehicleMention => {
      const span = { start, end };
      const { model, modelSpan } = withModel(
        words,
        [{ ...span, make: found.make, weak: false, misspelt: false }],
        year,
      ) ?? {
        model: null,
        modelSpan: span,
      };
      return { make: found.make, model, makeSpan: span, modelSpan, weak: found.weak, implied: true };
    })
    .sort((a, b) => Number(a.weak) - Number(b.weak));
}

const MIN_GLUED_LENGTH = 5;

/** `bmw330i`: a make and a model of its own in one word. */
function gluedVehicle(words: readonly Word[]): VehicleMention | null {
  for (const [start, { text }] of words.entries()) {
    if (text.length < MIN_GLUED_LENGTH || !/^[a-z]{2,}\d/.test(text)) continue;
    const letters = /^[a-z]+/.exec(text)?.[0] ?? '';
    for (let cut = letters.length; cut >= 2; cut--) {
      const make = makeByName.get(text.slice(0, cut));
      const model = make === undefined ? undefined : findModel(make, text.slice(cut));
      if (make === undefined || model === undefined) continue;
      const span = { start, end: start + 1 };
      return { make, model, makeSpan: span, modelSpan: span, weak: false, implied: false };
    }
  }
  return null;
}

function isOtherMake(words: readonly Word[], known: number): boolean {
  return namesIn(words, (key) => (otherMakes.has(key) ? true : undefined)).some(
    (span) => span.start < known && !isEngineMaker(words, span),
  );
}

/**
 * The cars that a title may name, the likeliest first; a weak one counts only with a year beside it.
 * @param year what the title's year seems to be, before it is known where the names stand
 * `otherMake`: it names one of a make outside the catalogue first.
 */
export function findVehicles(
  words: readonly Word[],
  year: number | null,
): { vehicles: VehicleMention[]; otherMake: boolean } {
  const mentions = makeMentions(words);
  const first = Math.min(words.length, ...mentions.filter(({ weak }) => !weak).map(({ start }) => start));
  if (isOtherMake(words, first)) return { vehicles: [], otherMake: true };
  const exact = withModel(words, mentions, year);
  const vehicles = exact ? [exact] : withoutExactModel(words, mentions, year);
  const says = (text: string) => words.some((word) => word.text === text);
  return {
    vehicles: vehicles.map((vehicle) =>
      vehicle.model ? { ...vehicle, model: byWeight(vehicle.make, vehicle.model, says) } : vehicle,
    ),
    otherMake: false,
  };
}

function withoutExactModel(
  words: readonly Word[],
  mentions: readonly MakeMention[],
  year: number | null,
): VehicleMention[] {
  for (const make of mentions) {
    const found = withMisspeltModel(words, make);
    if (found) return [found];
  }
  const strong = mentions.find(({ weak }) => !weak);
  if (strong) return [bare(strong)];
  const implied = impliedByModel(words, year);
  if (implied[0] && !implied[0].weak) return implied;
  const glued = gluedVehicle(words);
  if (glued) return [glued];
  const misspelt = misspeltMakes(words);
  const repaired = withModel(words, misspelt, year);
  if (repaired) return [repaired];
  return [...mentions.map(bare), ...implied, ...misspelt.map(bare)];
}

function bare({ start, end, make, weak }: MakeMention): VehicleMention {
  return { make, model: null, makeSpan: { start, end }, modelSpan: null, weak, implied: false };
}
