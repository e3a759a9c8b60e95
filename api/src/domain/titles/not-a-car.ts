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
  type Word,
  wantedWords,
  weakNonCarWords,
} from './title-words.ts';

/** The vehicle that a title names: its words, and what is stated. */
interface NamedVehicle extends Span {
  make: string;
  /** Whether the make is written, not only implied by its model. */
  hasMake: boolean;
  /** Whether a model is named, even one outside the catalogue. */
  hasModel: boolean;
  /** Whether that model is in the catalogue. */
  isCatalogued: boolean;
  hasYear: boolean;
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

/** Whether it has a year, or make and model. A model alone may be a place or an ordinary word: Tahoe, Odyssey. */
function isCertain({ hasMake, hasModel, hasYear }: NamedVehicle): boolean {
  return hasYear || (hasMake && hasModel);
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
const isYearNumber = (text: string) => /^(19|20)?\d\d$/.test(text);

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
function partScore(words: readonly Word[], vehicle: Span): number {
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
const CERTAIN_PART_SCORE = 3;

/** Whether a component is sold, which is mentioned of a whole car only if it is new or broken: `Fuel Filter`. */
function isComponent(words: readonly Word[], vehicle: NamedVehicle, evidence: boolean): boolean {
  const signs = partScore(words, vehicle);
  if (signs > CERTAIN_PART_SCORE || (signs === CERTAIN_PART_SCORE && !evidence)) return true;
  if (evidence) return false;
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
  // A part within the car's name: `Honda K24 engine out of 2006 Accord`.
  if (inside.some(({ end }) => has(words.slice(end, vehicle.end), partOrigins)) && !evidence) return true;
  const parts = all.filter((part) => part.start >= vehicle.end || part.end <= vehicle.start);
  const behind = parts.filter(({ start }) => start >= vehicle.end);
  const listed = hasYear && hasModel && behind.length >= LISTED;
  return parts.some((part) => {
    const [from, to] = part.end <= vehicle.start ? [part.start, vehicle.start] : [vehicle.end - 1, part.start];
    if (!isCertain(vehicle) && !evidence && samePhrase(words, from, to)) return true;
    if (range && (!describesCar(words, part, vehicle) || (!evidence && namesFullYears(words)))) return true;
    if (part.end <= vehicle.start) {
      if (has(words.slice(part.end, vehicle.start), partOrigins))
        return !describesCar(words, part, vehicle) || !evidence;
      return !evidence && !describesCar(words, part, vehicle) && samePhrase(words, part.start, vehicle.start);
    }
    if (evidence || listed || describesCar(words, part, vehicle) || isPraised(words, part, vehicle)) return false;
    if (isIncluded(words, part.start, vehicle.end - 1, 2)) return false;
    if (hasYear && has(words.slice(vehicle.end, part.start), conditionWords)) return false;
    return part.start - vehicle.end < PART_REACH && samePhrase(words, vehicle.end - 1, part.start);
  });
}

const INCLUSION_REACH = 5;

function isNonCar(words: readonly Word[], vehicle: NamedVehicle | null): boolean {
  return namesIn(words, present(nonCarWords)).some(({ start, end }) => {
    if (nonCarFollowers.has(words[end]?.text ?? '')) return false;
    if (!vehicle) return true;
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

/** Whether a motorcycle is named. The end of a car's name with the next number is none: `ZX2 89,500 miles`. */
function isMotorcycleNamed(words: readonly Word[], vehicle: NamedVehicle | null): boolean {
  return namesIn(words, (key) => (isMotorcycle(vehicle?.make ?? null, key) ? true : undefined)).some(
    ({ start, end }) => !(vehicle?.isCatalogued && start > vehicle.start && start < vehicle.end && end > vehicle.end),
  );
}

/** Whether a code follows a make, such as Honda, that only its motorcycles have: `MR175`. */
function hasMotorcycleCode(words: readonly Word[], vehicle: NamedVehicle): boolean {
  if (!motorcycleCodeMakes.has(vehicle.make) || vehicle.hasModel) return false;
  const code = words.slice(vehicle.end).find(({ text }) => !isYearNumber(text))?.text ?? '';
  return MOTORCYCLE_CODE.test(code) && !engineCodes.has(code);
}
const MOTORCYCLE_CODE = /^[a-z]{1,4}\d{2,4}[a-z]{0,3}$/;

/** Whether a title names something else that is sold, such as a boat or a toy. */
export function sellsOtherThing(words: readonly Word[], vehicle: NamedVehicle | null): boolean {
  return isNonCar(words, vehicle) || hasScale(words);
}

/** Whether a make alone offers a car: without any other words, or with words about a car. */
function offersCar(words: readonly Word[], vehicle: Span): boolean {
  return words.length <= vehicle.end - vehicle.start || hasEvidence(words, vehicle) || has(words, bareEvidence);
}

/**
 * Whether a title sells no car, even if it names one: a part, a toy, a motorcycle, or somebody wants to buy.
 * @param vehicle the words from make to model; null when no vehicle is named
 */
export function isNotACar(words: readonly Word[], vehicle: NamedVehicle | null): boolean {
  if (sellsOtherThing(words, vehicle) || isWanted(words) || isMotorcycleNamed(words, vehicle)) return true;
  if (!vehicle) return has(words, weakNonCarWords) || has(words, partWords) || has(words, services);
  if (hasMotorcycleCode(words, vehicle)) return true;
  const { hasYear, hasModel } = vehicle;
  if (!(hasYear && hasModel) && !hasEvidence(words, vehicle) && has(words, services)) return true;
  if (!isCertain(vehicle) && has(words, weakNonCarWords)) return true;
  if (!hasYear && !hasModel && !offersCar(words, vehicle)) return true;
  return isPart(words, vehicle);
}
