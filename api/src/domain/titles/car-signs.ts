import { hasTrimAt, listsIn } from './sign-lists.ts';
import {
  bareEvidence,
  bareParts,
  carEvidence,
  components,
  conditionWords,
  engineCodes,
  hasName,
  inclusionWords,
  isMotorcycle,
  motorcycleCodeMakes,
  namesIn,
  nonCarFollowers,
  nonCarWords,
  onlyCars,
  partFollowers,
  partMarks,
  partModifiers,
  partOrigins,
  partStates,
  partWords,
  positions,
  praise,
  type Span,
  services,
  trims,
  type Word,
  wantedWords,
  weakNonCarWords,
} from './title-words.ts';

/** The vehicle that a title names: its words, and what is stated. */
export interface NamedVehicle extends Span {
  make: string;
  /** Whether the make is written, not only implied by its model. */
  hasMake: boolean;
  /** Whether a model is named, even one outside the catalogue. */
  hasModel: boolean;
  /** Whether that model is in the catalogue. */
  isCatalogued: boolean;
  hasYear: boolean;
  /** The index of the year's word. */
  yearIndex: number | null;
}

const PART_REACH = 4;
/** So many parts after a car's name are its equipment. */
const LISTED = 3;

/** A look-up in a list, for `namesIn`. */
const present = (list: ReadonlySet<string>) => (key: string) => (list.has(key) ? key : undefined);
/** Whether the words contain a name of the list. */
const has = (words: readonly Word[], list: ReadonlySet<string>) => hasName(words, (key) => list.has(key));

/** Whether words other than the car's own name say that it is a whole car. `M Coupe` does not by its name. */
function hasEvidence(words: readonly Word[], { start, end }: Span): boolean {
  return namesIn(words, present(carEvidence)).some((name) => name.end <= start || name.start >= end);
}

/** A comma, bar, bullet, bracket or dash between blanks, after which the name does not continue. */
const ENDS_PHRASE = /[,;·|()!*:&/]|\.\s|\s[-–—]\s/;
const endsPhrase = (before: string) => ENDS_PHRASE.test(before);

function samePhrase(words: readonly Word[], from: number, to: number, ends = ENDS_PHRASE): boolean {
  for (let index = from + 1; index <= to; index++) if (ends.test(words[index]?.before ?? '')) return false;
  return true;
}

/** Whether a part is included with the car: `with`, `w/` or `&` is before it. */
function isIncluded(words: readonly Word[], start: number, from: number, reach: number): boolean {
  for (let index = start; index > Math.max(from, start - reach - 1); index--) {
    if (words[index]?.before.includes('&')) return true;
    if (index < start && inclusionWords.has(words[index]?.text ?? '')) return true;
  }
  return false;
}

/** Whether the name of a part describes a whole car: `new engine`, `4 door`, `wheel drive`. */
function describesCar(words: readonly Word[], { start, end }: Span, vehicle: NamedVehicle): boolean {
  const text = words[start - 1]?.text ?? '';
  // `4 door` also after a model's name, but not `F-150 headlights`.
  if (start === vehicle.end ? /^[2-7]$/.test(text) : /^\d{1,3}(l|th|nd|rd)?$/.test(text)) return true;
  const modifiers = vehicle.hasYear ? partModifiers : partStates;
  if (start !== vehicle.end && !endsPhrase(words[start]?.before ?? '') && modifiers.has(text)) return true;
  const next = words[end];
  return next !== undefined && !endsPhrase(next.before) && partFollowers.has(next.text);
}

/** A year in two or four digits. */
export const isYearNumber = (text: string) => /^(19|20)?\d\d$/.test(text);

/** Whether a range of years is named, which a part fits: `2006-2011`, `2016+`, `2015 to 2019`, `2018 19 20 21`. */
function namesYearRange(words: readonly Word[]): boolean {
  return words.some(({ text, before }, index) => {
    const previous = words[index - 1]?.text ?? '';
    if (text === 'to') return isFullYear(previous) && isYearNumber(words[index + 1]?.text ?? '');
    if (!isYearNumber(previous)) return false;
    if (before.startsWith('+') || (isYearNumber(text) && /^\s?[-–]\s?$/.test(before))) return true;
    return isYearNumber(text) && isFullYear(words[index - 2]?.text ?? '') && before === ' ';
  });
}
const namesFullYears = (words: readonly Word[]) =>
  words.some(({ text }, index) => isFullYear(text) && isFullYear(words[index + 1]?.text ?? ''));
const isFullYear = (text: string) => text.length === 4 && isYearNumber(text);

/** Whether a part number is named: 8 to 14 characters, at least four of them digits. A longer one may be a VIN. */
function namesPartNumber(words: readonly Word[]): boolean {
  return words.some(
    ({ text }) =>
      text.length >= 8 && text.length < 15 && /[a-z]/.test(text) && text.replaceAll(/[a-z]/g, '').length >= 4,
  );
}

/** Whether something for or from the car is sold: `… for Ford Bronco`, `off 2012 Tahoe`. */
function isForVehicle(words: readonly Word[], vehicle: NamedVehicle): boolean {
  return namesIn(words.slice(0, vehicle.start), present(partOrigins)).some(({ start, end, found }) => {
    if (vehicle.hasYear && (found === 'for' || found === 'de' || found === 'from')) return false;
    // A discount: `$500 off 2014 Ford Focus`.
    if (/^\d+$/.test(words[start - 1]?.text ?? '')) return false;
    if (!words.slice(end, vehicle.start).every(({ text }) => /^\d+$/.test(text))) return false;
    const thing = words.slice(0, start).filter(({ text }) => !/^\d+k?$/.test(text) && text !== 'sale');
    return thing.length > 0;
  });
}

/** How much indicates a part beside its name: positions on the car, a part number, a range of years. */
function partScore(words: readonly Word[], vehicle: Span, lists: ReadonlySet<ReadonlySet<string>>): number {
  const rest = words.filter((_, index) => index < vehicle.start || index >= vehicle.end);
  const places = lists.has(positions) ? namesIn(rest, present(positions)) : [];
  const isDouble = places.some(({ end }) => places.some(({ start }) => start === end));
  return (
    Math.min(places.length, 2) +
    (isDouble ? 1 : 0) +
    (lists.has(partMarks) && has(rest, partMarks) ? 1 : 0) +
    (namesPartNumber(rest) ? 2 : 0) +
    (namesYearRange(words) ? 2 : 0)
  );
}

/** Whether a component is sold, which is mentioned of a whole car only if it is new or broken: `Fuel Filter`. */
function isComponent(words: readonly Word[], vehicle: NamedVehicle, signs: number): boolean {
  return namesIn(words, present(components)).some((part) => {
    if (part.start < vehicle.end && vehicle.start < part.end) return false;
    if (partFollowers.has(words[part.end]?.text ?? '') || (signs === 0 && isPraised(words, part, vehicle)))
      return false;
    const between = part.end <= vehicle.start ? words.slice(0, part.start) : words.slice(vehicle.end, part.start);
    if (has(between, conditionWords)) return false;
    return part.end <= vehicle.start || signs > 0 || samePhrase(words, vehicle.end - 1, part.start, ENDS_LIST);
  });
}
/** Whether a part is in a list of a car's equipment: `rims, system, tint`. */
function isPraised(words: readonly Word[], part: Span, vehicle: NamedVehicle): boolean {
  if (!vehicle.hasYear || !vehicle.hasModel || part.start < vehicle.end) return false;
  const isPraise = ({ text }: Word) => praise.has(text);
  return words.slice(part.end).some(isPraise) && words.slice(vehicle.end).filter(isPraise).length >= MIN_PRAISE;
}
const MIN_PRAISE = 2;
const ENDS_LIST = /[,;·|()!*]|\.\s|\s[-–—]\s/;

/** What is said of the parts that a title names: whether one is sold, or they belong to the car. */
function partSigns(words: readonly Word[], vehicle: NamedVehicle): string[] {
  const { hasModel, hasYear } = vehicle;
  const all = namesIn(words, (key) => (partWords.has(key) || (!hasYear && bareParts.has(key)) ? key : undefined));
  const inside = all.filter(({ start, end }) => start >= vehicle.start && end < vehicle.end);
  // A part within the car's name: `Honda K24 engine out of 2006 Accord`.
  const signs = inside.some(({ end }) => has(words.slice(end, vehicle.end), partOrigins)) ? ['part inside'] : [];
  const parts = all.filter((part) => part.start >= vehicle.end || part.end <= vehicle.start);
  if (parts.length === 0) return signs;
  const behind = parts.filter(({ start }) => start >= vehicle.end);
  if (hasYear && hasModel && behind.length >= LISTED) signs.push('parts listed');
  const kinds = new Set(parts.map((part) => partKind(words, vehicle, part)));
  return [...signs, ...kinds];
}

/** How a part stands beside the car's name. */
function partKind(words: readonly Word[], vehicle: NamedVehicle, part: Span): string {
  const between = words.slice(part.end, vehicle.start).map(({ text }) => text);
  if (/^(?:for|fits|from)(?: (?:\d+|an?|the|my|your))*$/.test(between.join(' '))) return 'part for it';
  if (describesCar(words, part, vehicle)) return 'part described';
  if (isPraised(words, part, vehicle)) return 'part praised';
  if (part.end <= vehicle.start) {
    if (has(words.slice(part.end, vehicle.start), partOrigins)) return 'part for it';
    return samePhrase(words, part.start, vehicle.start) ? 'part before' : 'part far before';
  }
  if (isIncluded(words, part.start, vehicle.end - 1, 2)) return 'part included';
  if (has(words.slice(vehicle.end, part.start), conditionWords)) return 'part new or broken';
  if (!samePhrase(words, vehicle.end - 1, part.start)) return 'part in another phrase';
  if (part.start === vehicle.end) return 'part right behind';
  return part.start - vehicle.end < PART_REACH ? 'part behind' : 'part far behind';
}

const INCLUSION_REACH = 5;
const editions: ReadonlySet<string> = new Set(['harley', 'harleydavidson']);

/** Whether something is named that is no car, wherever it stands: a boat, a toy. */
function isNonCar(words: readonly Word[], vehicle: NamedVehicle | null): boolean {
  return namesIn(words, present(nonCarWords)).some(({ start, end, found }) => {
    if (nonCarFollowers.has(words[end]?.text ?? '')) return false;
    if (!vehicle) return true;
    // Ford's pickups had an edition of that name.
    if (editions.has(found) && vehicle.isCatalogued && start >= vehicle.end) return false;
    // `Westfalia camper` is the name of a model, and what is included with a car is not what is sold.
    if (start >= vehicle.start && end <= vehicle.end) return false;
    return !(start >= vehicle.end && isIncluded(words, start, vehicle.end - 1, INCLUSION_REACH));
  });
}

function isWanted(words: readonly Word[]): boolean {
  return namesIn(words, present(wantedWords)).some(({ start, found }) => start <= 1 || found === 'wtb');
}

/** Whether the scale of a model is named, as in `1:18` or `1/64 scale`; `1/16/2020` is a date. */
function hasScale(words: readonly Word[]): boolean {
  return words.some(
    ({ text, before }, index) =>
      /^(8|10|12|16|18|24|25|32|43|64|87)(th)?$/.test(text) &&
      /^[:/]$/.test(before) &&
      words[index - 1]?.text === '1' &&
      !/^[/:]/.test(words[index + 1]?.before ?? ''),
  );
}

/** Whether a motorcycle is named. Neither the end of a car's name with the next number is one, `ZX2 89,500 miles`, nor a trim before the year. */
function isMotorcycleNamed(words: readonly Word[], vehicle: NamedVehicle | null): boolean {
  return namesIn(words, (key) => (isMotorcycle(vehicle?.make ?? null, key) ? true : undefined)).some(
    ({ start, end }) =>
      !holdsYear(start, end, vehicle) &&
      !(vehicle?.isCatalogued && start > vehicle.start && start < vehicle.end && end > vehicle.end),
  );
}

const holdsYear = (start: number, end: number, vehicle: NamedVehicle | null) =>
  vehicle?.yearIndex != null && start <= vehicle.yearIndex && vehicle.yearIndex < end;

/** Whether a code follows a make, such as Honda, that only its motorcycles have: `MR175`. */
function hasMotorcycleCode(words: readonly Word[], vehicle: NamedVehicle): boolean {
  if (!motorcycleCodeMakes.has(vehicle.make) || vehicle.hasModel) return false;
  const code = words.slice(vehicle.end).find(({ text }) => !isYearNumber(text))?.text ?? '';
  return MOTORCYCLE_CODE.test(code) && !engineCodes.has(code);
}
const MOTORCYCLE_CODE = /^[a-z]{1,4}\d{2,4}[a-z]{0,3}$/;

/** Whether a title names something else that is sold, such as a boat or a toy. */
function sellsOtherThing(words: readonly Word[], vehicle: NamedVehicle | null): boolean {
  return isNonCar(words, vehicle) || hasScale(words);
}

/** Whether a title that names no vehicle sells another thing: a part, a toy, a motorcycle, or somebody wants to buy. */
export function namesOtherThing(words: readonly Word[]): boolean {
  if (sellsOtherThing(words, null) || isWanted(words) || isMotorcycleNamed(words, null)) return true;
  return has(words, weakNonCarWords) || has(words, partWords) || has(words, services);
}

/** What a title says of the vehicle that it names, for or against a whole car: each sign has a weight of its own. */
export function signsOf(words: readonly Word[], vehicle: NamedVehicle): string[] {
  const beside = listsIn(words, vehicle.end, words.length, listsIn(words, 0, vehicle.start));
  const lists = listsIn(words, vehicle.start, vehicle.end, new Set(beside));
  const hasPart = lists.has(partWords) || lists.has(bareParts);
  const signs = hasPart ? partSigns(words, vehicle) : [];
  const score = partScore(words, vehicle, lists);
  const state = (name: string, is: boolean) => is && signs.push(name);
  state('another thing', lists.has(nonCarWords) && isNonCar(words, vehicle));
  state('scale of a model', hasScale(words));
  state('wanted', lists.has(wantedWords) && isWanted(words));
  state('my own', words[vehicle.start - 1]?.text === 'my');
  state('motorcycle', isMotorcycleNamed(words, vehicle));
  state('motorcycle code', hasMotorcycleCode(words, vehicle));
  // `Honda 250` is a motorcycle, and few other makes are written without a model.
  if (!vehicle.hasModel && motorcycleMakes.has(vehicle.make)) {
    signs.push(`no model of ${vehicle.make}`);
    state(
      'number behind the make',
      vehicle.end !== vehicle.yearIndex && /^\d{2,4}$/.test(words[vehicle.end]?.text ?? ''),
    );
  }
  state('service', lists.has(services));
  const hasTrim = vehicle.end !== vehicle.yearIndex && hasTrimAt(words, vehicle.end);
  state('trim behind', hasTrim);
  // Beside its trim, a Charger is no charger.
  state('goods', (hasTrim ? beside : lists).has(weakNonCarWords));
  state('said of cars', lists.has(carEvidence) && hasEvidence(words, vehicle));
  state('only said of cars', beside.has(onlyCars));
  state('trim', beside.has(trims));
  state('looks like a car', beside.has(bareEvidence));
  state('for the car', lists.has(partOrigins) && isForVehicle(words, vehicle));
  state('bare part behind', bareParts.has(words[vehicle.end]?.text ?? ''));
  state('component', lists.has(components) && isComponent(words, vehicle, score));
  state('range of years', namesYearRange(words));
  state('two years', namesFullYears(words));
  if (score > 0) signs.push(`positions ${Math.min(score, MAX_PART_SCORE)}`);
  return signs;
}
const MAX_PART_SCORE = 4;
const motorcycleMakes: ReadonlySet<string> = new Set(['honda', 'bmw']);
