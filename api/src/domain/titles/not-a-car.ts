import {
  bareEvidence,
  bareParts,
  carEvidence,
  carriers,
  components,
  cycleNumberMakes,
  engineCodes,
  hasName,
  isMotorcycle,
  namesIn,
  neverFollowers,
  neverWords,
  newness,
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
  softWords,
  type Word,
  wantedWords,
} from './title-words.ts';

/** What a title says of a vehicle, as far as the question needs it. */
interface NamedVehicle extends Span {
  make: string;
  /** The make is written, not only implied by its model. */
  hasMake: boolean;
  /** A model is named, be it one that the catalogue doesn't have. */
  hasModel: boolean;
  /** That model is the catalogue's. */
  isCatalogued: boolean;
  hasYear: boolean;
}

const PART_REACH = 4;
/** So many parts behind a whole car's name are its equipment. */
const LISTED = 3;

/** Looks a name up in a list, as the search for names wants it. */
const present = (list: ReadonlySet<string>) => (key: string) => (list.has(key) ? key : undefined);
/** Whether a name of the list stands among the words. */
const has = (words: readonly Word[], list: ReadonlySet<string>) => hasName(words, (key) => list.has(key));

/** Evidence for a whole car, outside the car's own name: the M Coupe is none by being called so. */
function hasEvidence(words: readonly Word[], { start, end }: Span): boolean {
  return namesIn(words, present(carEvidence)).some((name) => name.end <= start || name.start >= end);
}

/** A year, or make and model both; a model alone may be a place or an ordinary word: Tahoe, Odyssey. */
function isSure({ hasMake, hasModel, hasYear }: NamedVehicle): boolean {
  return hasYear || (hasMake && hasModel);
}

/** A comma, bar, bullet, bracket or dash between blanks: what follows is said about the car, not its name. */
const ENDS_PHRASE = /[,;·|()!*:&/]|\.\s|\s[-–—]\s/;
const endsPhrase = (before: string) => ENDS_PHRASE.test(before);

function samePhrase(words: readonly Word[], from: number, to: number, ends = ENDS_PHRASE): boolean {
  for (let index = from + 1; index <= to; index++) if (ends.test(words[index]?.before ?? '')) return false;
  return true;
}

/** It comes with the car: `with`, `w/`, `&` stand between. */
function isCarried(words: readonly Word[], start: number, from: number, reach: number): boolean {
  for (let index = start; index > Math.max(from, start - reach - 1); index--) {
    if (words[index]?.before.includes('&')) return true;
    if (index < start && carriers.has(words[index]?.text ?? '')) return true;
  }
  return false;
}

/** A word for a part that tells what kind of whole car it is: `new engine`, `4 door`, `wheel drive`. */
function isTrait(words: readonly Word[], { start, end }: Span, vehicle: NamedVehicle): boolean {
  const text = words[start - 1]?.text ?? '';
  // `4 door`, also behind a model's name, but not `F-150 headlights`.
  if (start === vehicle.end ? /^[2-7]$/.test(text) : /^\d{1,3}(l|th|nd|rd)?$/.test(text)) return true;
  const modifiers = vehicle.hasYear ? partModifiers : partStates;
  if (start !== vehicle.end && !endsPhrase(words[start]?.before ?? '') && modifiers.has(text)) return true;
  const next = words[end];
  return next !== undefined && !endsPhrase(next.before) && partFollowers.has(next.text);
}

/** A year in two or four digits. */
const isYearNumber = (text: string) => /^(19|20)?\d\d$/.test(text);

/** `2006-2011`, `2016+`, `2015 to 2019`, `2018 19 20 21`: what fits so many years is a part. */
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

/** A maker's number of a part: eight signs or more, most of them digits; seventeen are a whole car's. */
function namesPartNumber(words: readonly Word[]): boolean {
  return words.some(
    ({ text }) =>
      text.length >= 8 && text.length < 15 && /[a-z]/.test(text) && text.replaceAll(/[a-z]/g, '').length >= 4,
  );
}

/** `… for Ford Bronco`, `off 2012 Tahoe`: what stands before is for the car, not the car. */
function isForVehicle(words: readonly Word[], vehicle: NamedVehicle): boolean {
  return namesIn(words.slice(0, vehicle.start), present(partOrigins)).some(({ start, end, found }) => {
    if (vehicle.hasYear && (found === 'for' || found === 'de' || found === 'from')) return false;
    // `$500 off 2014 Ford Focus`
    if (/^\d+$/.test(words[start - 1]?.text ?? '')) return false;
    if (!words.slice(end, vehicle.start).every(({ text }) => /^\d+$/.test(text))) return false;
    const thing = words.slice(0, start).filter(({ text }) => !/^\d+k?$/.test(text) && text !== 'sale');
    return thing.length > 0;
  });
}

/** How much speaks for a part beside its name: a place on the car, a part's number, years that it fits. */
function partSigns(words: readonly Word[], vehicle: Span): number {
  const rest = words.filter((_, index) => index < vehicle.start || index >= vehicle.end);
  const places = namesIn(rest, present(positions));
  const isDouble = places.some(({ end }) => places.some(({ start }) => start === end));
  return (
    Math.min(places.length, 2) +
    (isDouble ? 1 : 0) +
    (has(rest, partMarks) ? 1 : 0) +
    (namesPartNumber(rest) ? 2 : 0) +
    (namesYearRange(words) ? 2 : 0)
  );
}
const SURE_SIGNS = 3;

/** `Fuel Filter`, `Left Front Fender OEM`: what no seller praises on a whole car, unless it is new or broken. */
function isComponent(words: readonly Word[], vehicle: NamedVehicle, evidence: boolean): boolean {
  const signs = partSigns(words, vehicle);
  if (signs > SURE_SIGNS || (signs === SURE_SIGNS && !evidence)) return true;
  if (evidence) return false;
  return namesIn(words, present(components)).some((part) => {
    if (part.start < vehicle.end && vehicle.start < part.end) return false;
    if (partFollowers.has(words[part.end]?.text ?? '') || (signs === 0 && isPraised(words, part, vehicle)))
      return false;
    const between = part.end <= vehicle.start ? words.slice(0, part.start) : words.slice(vehicle.end, part.start);
    if (has(between, newness)) return false;
    return part.end <= vehicle.start || signs > 0 || samePhrase(words, vehicle.end - 1, part.start, ENDS_LIST);
  });
}
/** `rims, system, tint`: equipment praised on a whole car goes on behind the part; a part's own name ends with it. */
function isPraised(words: readonly Word[], part: Span, vehicle: NamedVehicle): boolean {
  if (!vehicle.hasYear || !vehicle.hasModel || part.start < vehicle.end) return false;
  const isPraise = ({ text }: Word) => praise.has(text);
  return words.slice(part.end).some(isPraise) && words.slice(vehicle.end).filter(isPraise).length >= MIN_PRAISE;
}
const MIN_PRAISE = 2;
const ENDS_LIST = /[,;·|()!*]|\.\s|\s[-–—]\s/;

/** Whether a title that names a vehicle sells a part of it. */
function isPart(words: readonly Word[], vehicle: NamedVehicle): boolean {
  const { hasModel, hasYear } = vehicle;
  const range = namesYearRange(words);
  const evidence = hasEvidence(words, vehicle);
  if (!evidence && isForVehicle(words, vehicle)) return true;
  if (!hasYear && !evidence && bareParts.has(words[vehicle.end]?.text ?? '')) return true;
  if (isComponent(words, vehicle, evidence)) return true;
  const all = namesIn(words, (key) => (partWords.has(key) || (!hasYear && bareParts.has(key)) ? key : undefined));
  const inside = all.filter(({ start, end }) => start >= vehicle.start && end < vehicle.end);
  // `Honda K24 engine out of 2006 Accord`
  if (inside.some(({ end }) => has(words.slice(end, vehicle.end), partOrigins)) && !evidence) return true;
  const parts = all.filter((part) => part.start >= vehicle.end || part.end <= vehicle.start);
  const behind = parts.filter(({ start }) => start >= vehicle.end);
  const listed = hasYear && hasModel && behind.length >= LISTED;
  return parts.some((part) => {
    const [from, to] = part.end <= vehicle.start ? [part.start, vehicle.start] : [vehicle.end - 1, part.start];
    if (!isSure(vehicle) && !evidence && samePhrase(words, from, to)) return true;
    if (range && (!isTrait(words, part, vehicle) || (!evidence && namesFullYears(words)))) return true;
    if (part.end <= vehicle.start) {
      if (has(words.slice(part.end, vehicle.start), partOrigins)) return !isTrait(words, part, vehicle) || !evidence;
      return !evidence && !isTrait(words, part, vehicle) && samePhrase(words, part.start, vehicle.start);
    }
    if (evidence || listed || isTrait(words, part, vehicle) || isPraised(words, part, vehicle)) return false;
    if (isCarried(words, part.start, vehicle.end - 1, 2)) return false;
    if (hasYear && has(words.slice(vehicle.end, part.start), newness)) return false;
    return part.start - vehicle.end < PART_REACH && samePhrase(words, vehicle.end - 1, part.start);
  });
}

const CARRIER_REACH = 5;

function isNever(words: readonly Word[], vehicle: NamedVehicle | null): boolean {
  return namesIn(words, present(neverWords)).some(({ start, end }) => {
    if (neverFollowers.has(words[end]?.text ?? '')) return false;
    if (!vehicle) return true;
    // `Westfalia camper` is a model's name, and what a whole car comes with is no camper or trailer itself.
    if (start >= vehicle.start && end <= vehicle.end) return false;
    return !(start >= vehicle.end && isCarried(words, start, vehicle.end - 1, CARRIER_REACH));
  });
}

function isWanted(words: readonly Word[]): boolean {
  return namesIn(words, present(wantedWords)).some(({ start, found }) => start <= 1 || found === 'wtb');
}

/** `1:18`, `1/64 scale`: a model's scale, but no date like 1/16/2020. */
function hasScale(words: readonly Word[]): boolean {
  return words.some(
    ({ text, before }, index) =>
      /^(8|10|12|16|18|24|25|32|43|64|87)(th)?$/.test(text) &&
      /^[:/]$/.test(before) &&
      words[index - 1]?.text === '1' &&
      !/^[/:]/.test(words[index + 1]?.before ?? ''),
  );
}

/** A motorcycle's name, but not the end of a car's with a number behind: `ZX2 89,500 miles`. */
function isMotorcycleNamed(words: readonly Word[], vehicle: NamedVehicle | null): boolean {
  return namesIn(words, (key) => (isMotorcycle(vehicle?.make ?? null, key) ? true : undefined)).some(
    ({ start, end }) => !(vehicle?.isCatalogued && start > vehicle.start && start < vehicle.end && end > vehicle.end),
  );
}

/** Honda calls its cars by words, and only motorcycles by letters and their displacement: `MR175`. */
function hasCycleNumber(words: readonly Word[], vehicle: NamedVehicle): boolean {
  if (!cycleNumberMakes.has(vehicle.make) || vehicle.hasModel) return false;
  const code = words.slice(vehicle.end).find(({ text }) => !isYearNumber(text))?.text ?? '';
  return CYCLE_NUMBER.test(code) && !engineCodes.has(code);
}
const CYCLE_NUMBER = /^[a-z]{1,4}\d{2,4}[a-z]{0,3}$/;

/** A title that sells something by its own name: a boat, a toy; the car in it may be an ordinary word. */
export function namesOtherThing(words: readonly Word[], vehicle: NamedVehicle | null): boolean {
  return isNever(words, vehicle) || hasScale(words);
}

/** A make's bare name offers a car when nothing else is said, or something that is said of cars. */
function saysCar(words: readonly Word[], vehicle: Span): boolean {
  return words.length <= vehicle.end - vehicle.start || hasEvidence(words, vehicle) || has(words, bareEvidence);
}

/**
 * Whether a title that names a car sells something else: a part, a toy, a motorcycle, a wish.
 * @param vehicle where make and model stand, from first to last word; null when none is named
 */
export function isNotACar(words: readonly Word[], vehicle: NamedVehicle | null): boolean {
  if (namesOtherThing(words, vehicle) || isWanted(words) || isMotorcycleNamed(words, vehicle)) return true;
  if (!vehicle) return has(words, softWords) || has(words, partWords) || has(words, services);
  if (hasCycleNumber(words, vehicle)) return true;
  const { hasYear, hasModel } = vehicle;
  if (!(hasYear && hasModel) && !hasEvidence(words, vehicle) && has(words, services)) return true;
  if (!isSure(vehicle) && has(words, softWords)) return true;
  if (!hasYear && !hasModel && !saysCar(words, vehicle)) return true;
  return isPart(words, vehicle);
}
