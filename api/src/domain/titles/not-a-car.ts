import {
  has,
  hasEvidence,
  isCarried,
  isPart,
  isSure,
  isYearNumber,
  type NamedVehicle,
  present,
} from './part-for-sale.ts';
import {
  bareEvidence,
  cycleNumberMakes,
  engineCodes,
  isMotorcycle,
  neverFollowers,
  neverWords,
  partWords,
  services,
  softWords,
  wantedWords,
} from './title-lists.ts';
import { namesIn, type Span, type Word } from './title-words.ts';

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
