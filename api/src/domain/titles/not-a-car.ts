import {
  bareEvidence,
  bareParts,
  carEvidence,
  carriers,
  isMotorcycle,
  neverFollowers,
  neverWords,
  partFollowers,
  partModifiers,
  partOrigins,
  partStates,
  partWords,
  services,
  softWords,
  wantedWords,
} from './title-lists.ts';
import { hasName, namesIn, type Span, type Word } from './title-words.ts';

const PART_REACH = 4;
const CARRIER_REACH = 5;

/** What a title says of a vehicle, as far as the question needs it. */
export interface NamedVehicle extends Span {
  make: string;
  /** The make is written, not only implied by its model. */
  hasMake: boolean;
  /** A model is named, be it one that the catalogue doesn't have. */
  hasModel: boolean;
  /** That model is the catalogue's. */
  isCatalogued: boolean;
  hasYear: boolean;
}

const present = (list: ReadonlySet<string>) => (key: string) => (list.has(key) ? key : undefined);
const has = (words: readonly Word[], list: ReadonlySet<string>) => hasName(words, (key) => list.has(key));

/** Evidence for a whole car, outside the car's own name: the M Coupe is none by being called so. */
function hasEvidence(words: readonly Word[], { start, end }: Span): boolean {
  return namesIn(words, present(carEvidence)).some((name) => name.end <= start || name.start >= end);
}

/** A comma, bar, bullet, bracket or dash between blanks: what follows is said about the car, not its name. */
function endsPhrase(before: string): boolean {
  return /[,;·|()!*:&/]|\.\s|\s[-–—]\s/.test(before);
}

function samePhrase(words: readonly Word[], from: number, to: number): boolean {
  for (let index = from + 1; index <= to; index++) if (endsPhrase(words[index]?.before ?? '')) return false;
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

/** `1:18`, `1/64 scale`: a model's scale. */
function hasScale(words: readonly Word[]): boolean {
  return words.some(
    ({ text, before }, index) =>
      /^(8|10|12|16|18|24|25|32|43|64|87)(th)?$/.test(text) && /^[:/]$/.test(before) && words[index - 1]?.text === '1',
  );
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

/** `2006-2011`, `2016+`: what fits so many years is a part. */
function namesYearRange(words: readonly Word[]): boolean {
  return words.some(({ text, before }, index) => {
    if (!/^(19|20)?\d\d$/.test(words[index - 1]?.text ?? '')) return false;
    return before.startsWith('+') || (/^(19|20)?\d\d$/.test(text) && /^\s?[-–]\s?$/.test(before));
  });
}

/** `… for Ford Bronco`, `off 2012 Tahoe`: what stands before is for the car, not the car. */
function isForVehicle(words: readonly Word[], vehicle: Span): boolean {
  return namesIn(words.slice(0, vehicle.start), present(partOrigins)).some(({ start, end }) => {
    if (!words.slice(end, vehicle.start).every(({ text }) => /^\d+$/.test(text))) return false;
    const thing = words.slice(0, start).filter(({ text }) => !/^\d+k?$/.test(text) && text !== 'sale');
    return thing.length > 0;
  });
}

function isPart(words: readonly Word[], vehicle: NamedVehicle): boolean {
  const { hasModel, hasYear } = vehicle;
  const range = namesYearRange(words);
  const evidence = hasEvidence(words, vehicle);
  if (!hasYear && !evidence && isForVehicle(words, vehicle)) return true;
  if (!hasYear && !evidence && bareParts.has(words[vehicle.end]?.text ?? '')) return true;
  const all = namesIn(words, (key) => (partWords.has(key) || (!hasYear && bareParts.has(key)) ? key : undefined));
  const inside = all.filter(({ start, end }) => start >= vehicle.start && end < vehicle.end);
  // `Honda K24 engine out of 2006 Accord`
  if (inside.some(({ end }) => has(words.slice(end, vehicle.end), partOrigins)) && !evidence) return true;
  const parts = all.filter((part) => part.start >= vehicle.end || part.end <= vehicle.start);
  // A list of equipment behind a whole car's name is no single part.
  const behind = parts.filter(({ start }) => start >= vehicle.end);
  const listed = hasYear && hasModel && behind.length >= LISTED && behind[0] !== parts[parts.length - LISTED + 1];
  return parts.some((part) => {
    const [from, to] = part.end <= vehicle.start ? [part.start, vehicle.start] : [vehicle.end - 1, part.start];
    if (!isSure(vehicle) && !evidence && samePhrase(words, from, to)) return true;
    if (range && !isTrait(words, part, vehicle)) return true;
    if (part.end <= vehicle.start) {
      if (has(words.slice(part.end, vehicle.start), partOrigins)) return !isTrait(words, part, vehicle) || !evidence;
      return !evidence && !isTrait(words, part, vehicle) && samePhrase(words, part.start, vehicle.start);
    }
    if (evidence || listed || isTrait(words, part, vehicle)) return false;
    if (isCarried(words, part.start, vehicle.end - 1, 2)) return false;
    return part.start - vehicle.end < PART_REACH && samePhrase(words, vehicle.end - 1, part.start);
  });
}
const LISTED = 3;

/** A motorcycle's name, but not the end of a car's with a number behind: `ZX2 89,500 miles`. */
function isMotorcycleNamed(words: readonly Word[], vehicle: NamedVehicle | null): boolean {
  return namesIn(words, (key) => (isMotorcycle(vehicle?.make ?? null, key) ? true : undefined)).some(
    ({ start, end }) => !(vehicle?.isCatalogued && start > vehicle.start && start < vehicle.end && end > vehicle.end),
  );
}

/** A title that sells something by its own name: a motorcycle, a boat, a toy; the car in it may be an ordinary word. */
export function namesOtherThing(words: readonly Word[], vehicle: NamedVehicle | null): boolean {
  return isNever(words, vehicle) || hasScale(words);
}

/**
 * Whether a title that names a car sells something else: a part, a toy, a motorcycle, a wish.
 * @param vehicle where make and model stand, from first to last word; null when none is named
 */
export function isNotACar(words: readonly Word[], vehicle: NamedVehicle | null): boolean {
  if (isNever(words, vehicle) || isWanted(words) || hasScale(words)) return true;
  if (isMotorcycleNamed(words, vehicle)) return true;
  if (!vehicle) return has(words, softWords) || has(words, partWords) || has(words, services);
  const { hasYear, hasModel } = vehicle;
  if (!(hasYear && hasModel) && !hasEvidence(words, vehicle) && has(words, services)) return true;
  // A model whose make isn't written may be a place or an ordinary word: Tahoe, Odyssey.
  if (!isSure(vehicle) && has(words, softWords)) return true;
  if (!hasYear && !hasModel && !saysCar(words, vehicle)) return true;
  return isPart(words, vehicle);
}

function isSure({ hasMake, hasModel, hasYear }: NamedVehicle): boolean {
  return hasYear || (hasMake && hasModel);
}

/** A make's bare name offers a car when nothing else is said, or something that is said of cars. */
function saysCar(words: readonly Word[], vehicle: Span): boolean {
  return words.length <= vehicle.end - vehicle.start || hasEvidence(words, vehicle) || has(words, bareEvidence);
}
