import { impliedByNumber, joinedVehicle, misspeltModels } from './implied-vehicle.ts';
import { isAmbiguous, type ModelMention, modelMentions } from './model-mentions.ts';
import { nearestName } from './spelling.ts';
import {
  filler,
  generalModels,
  joined,
  namesIn,
  otherMakes,
  type Span,
  uppercaseModels,
  type Word,
  weakMakes,
} from './title-words.ts';
import { mentionOf, type VehicleMention } from './vehicle-mention.ts';
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

interface MakeMention extends Span {
  make: string;
  weak: boolean;
  misspelt: boolean;
}

const NEAR = 3;
/** What reduces the score of a pair of make and model. `word` is for each word between them. */
const PENALTY = { word: 8, before: 10, brackets: 20, years: 7, general: 25, laterMake: 4, misspelt: 20 };
const MIN_SCORE = 40;
/** Sellers list further makes only to be found by them. */
const MAX_MAKES = 8;

const isYear = (text: string) => text.length === 4 && /^(19|20)\d\d$/.test(text);
const isFiller = (word: Word | undefined) => word !== undefined && (filler.has(word.text) || isYear(word.text));

/** Whether the word is a digit of a decimal such as `5.0`. */
function isEngineSize(words: readonly Word[], index: number): boolean {
  if (!/^\d$/.test(words[index]?.text ?? '')) return false;
  return words[index]?.before === '.' || words[index + 1]?.before === '.';
}

/** How many words other than filler are between two spans. */
function gapBetween(words: readonly Word[], a: Span, b: Span): number {
  const [from, to] = a.end <= b.start ? [a.end, b.start] : [b.end, a.start];
  let gap = 0;
  for (let index = from; index < to; index++) if (!isFiller(words[index]) && !isEngineSize(words, index)) gap++;
  return gap;
}

/** Whether a make is only that of the engine: `Ford V8-Powered 1962 Willys`. */
function isEngineMaker(words: readonly Word[], span: Span): boolean {
  return [0, 1, 2].some((ahead) => ['powered', 'swapped', 'engined'].includes(words[span.end + ahead]?.text ?? ''));
}

function makeMentions(words: readonly Word[]): MakeMention[] {
  return namesIn(words, (key) => makeByName.get(key))
    .filter((span) => !isEngineMaker(words, span))
    .slice(0, MAX_MAKES)
    .map(({ start, end, found: make }) => {
      const weak = weakMakes.has(joined(words, start, end));
      return { start, end, make, weak, misspelt: false };
    });
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

/** Whether many models share the name, as a weight class or `Super Duty`, so that another name is preferred. */
function isGeneral(key: string): boolean {
  return generalModels.has(key) || /^([ckgrv]|ck)?[1-5]500(hd)?$/.test(key);
}

/** The score of a make and a model as the names of one car; null if they can't be. */
function scoreOf(words: readonly Word[], make: MakeMention, model: Span, key: string, years: number) {
  const overlaps = model.start < make.end && make.start < model.end;
  const gap = overlaps ? 0 : gapBetween(words, make, model);
  const before = !overlaps && model.start < make.start;
  // An ambiguous name counts only right after its make, or before it if a year is stated: `500 Fiat`.
  const mayLead = key.length > 1 && years > 0;
  if (isAmbiguous(key) && modelOfChassis(make.make, key) === undefined && (gap > 0 || (before && !mayLead)))
    return null;
  // The BMW 2002 is a model only if there is another year.
  if (isYear(key) && years < 2) return null;
  // In lower case it is an English word, unless it ends the title.
  if (uppercaseModels.has(key) && !words[model.start]?.capital && model.end < words.length) return null;
  const inBrackets = !overlaps && words.slice(make.end, model.start + 1).some(({ before: text }) => text.includes('('));
  let score = 100 - PENALTY.word * gap + Math.min(key.length, 24) / 4;
  if (before) score -= PENALTY.before;
  if (inBrackets) score -= PENALTY.brackets;
  if (isGeneral(key)) score -= PENALTY.general;
  return score;
}

/** The first and last year of the catalogue. Nothing is known of earlier and later ones. */
const FIRST_KNOWN = 1997;
const LAST_KNOWN = 2026;
/** So many years before the model's first one, its full name was a trim of another model. */
const MAX_YEARS_BEFORE = 15;

/** Whether the model was not sold in the title's year, so that the name is a trim, or an older model's. */
function isOutOfYears(make: string, model: ModelName, key: string, year: number | null): boolean {
  if (model === null || year === null) return false;
  const [first, last] = yearsOf(make, model) ?? [FIRST_KNOWN, LAST_KNOWN];
  if (isOwnName(make, model, key)) return first > FIRST_KNOWN && year < first - MAX_YEARS_BEFORE;
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
    const byMake = PENALTY.laterMake * order + (make.misspelt ? PENALTY.misspelt : 0);
    for (const { start, end, model, key, penalty, longer } of namesOf(make.make)) {
      const score = scoreOf(words, make, { start, end }, key, years);
      if (score === null) continue;
      const older = longer && isOutOfYears(make.make, model, key, year);
      const total = score - penalty - byMake - (older ? PENALTY.years : 0);
      if (best && total <= best.score) continue;
      best = {
        score: total,
        mention: { ...mentionOf(make.make, model, make, { start, end }), misspelt: make.misspelt },
      };
    }
  }
  return best && best.score > MIN_SCORE ? best.mention : null;
}

/** A make with a misspelt model near it. */
function withMisspeltModel(words: readonly Word[], make: MakeMention): VehicleMention | null {
  for (let index = make.end; index < Math.min(words.length, make.end + NEAR); index++) {
    const word = words[index];
    const name = word && !isFiller(word) ? nearestName(word.text, modelNames(make.make)) : null;
    const model = name ? findModel(make.make, name) : undefined;
    if (model === undefined) continue;
    return { ...mentionOf(make.make, model, make, { start: index, end: index + 1 }), misspelt: true };
  }
  return null;
}

/** Cars whose model implies their make; weak ones last. */
function impliedByModel(words: readonly Word[], year: number | null): VehicleMention[] {
  return namesIn(words, (key) => makeByModel.get(key))
    .slice(0, MAX_MAKES)
    .map(({ start, end, found }): VehicleMention => {
      const span = { start, end };
      const named = withModel(words, [{ ...span, make: found.make, weak: false, misspelt: false }], year);
      const { model, modelSpan } = named ?? { model: null, modelSpan: span };
      const weak = found.weak || isJoinedName(words, span);
      return { make: found.make, model, makeSpan: span, modelSpan, weak, implied: true, misspelt: false };
    })
    .sort((a, b) => Number(a.weak) - Number(b.weak));
}

/** Whether one word happens to be a name of several words: `models` is no Model S. */
const isJoinedName = (words: readonly Word[], { start, end }: Span) =>
  end === start + 1 && (words[start]?.text ?? '') === 'models';

function isOtherMake(words: readonly Word[], known: number): boolean {
  return namesIn(words, (key) => (otherMakes.has(key) ? true : undefined)).some(
    (span) => span.start < known && !isEngineMaker(words, span),
  );
}

/**
 * The cars that a title may name, the most likely first.
 * @param year the title's year, as far as it is known before the names are
 * @returns `otherMake`: whether it names a make outside the catalogue first
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
  if (strong) return [makeOnly(strong)];
  const implied = impliedByModel(words, year);
  if (implied[0] && !implied[0].weak) return implied;
  const inOneWord = joinedVehicle(words);
  if (inOneWord) return [inOneWord];
  const misspelt = misspeltMakes(words);
  const repaired = withModel(words, misspelt, year);
  if (repaired) return [repaired];
  const weak = [...mentions.map(makeOnly), ...implied, ...misspelt.map(makeOnly)];
  const hasYear = words.some(({ text }) => isYear(text) || /^\d\d$/.test(text));
  return hasYear ? [...weak, ...impliedByNumber(words), ...misspeltModels(words)] : weak;
}

function makeOnly({ start, end, make, weak, misspelt }: MakeMention): VehicleMention {
  return { make, model: null, makeSpan: { start, end }, modelSpan: null, weak, implied: false, misspelt };
}
