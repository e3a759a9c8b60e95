import { isNotACar, namesOtherThing } from './not-a-car.ts';
import { onlyCars, trims } from './title-lists.ts';
import { findVehicles, type VehicleMention } from './title-vehicle.ts';
import { hasName, type Span, titleWords, type Word } from './title-words.ts';
import { findYear, yearIsBeside } from './title-year.ts';
import { filedUnder } from './vehicle-names.ts';

export interface ParsedTitle {
  year: number | null;
  make: string | null;
  model: string | null;
  /** Whether a whole car of one of the 42 makes is offered. */
  isCar: boolean;
}

export interface TitleReading extends ParsedTitle {
  /** It sells nothing that is a car: a part, a toy, a motorcycle, a wish. */
  notACar: boolean;
  /** It names a vehicle of a make outside the catalogue. */
  otherMake: boolean;
}

const nothing = { make: null, model: null, isCar: false, notACar: true };

function spansOf(vehicle: VehicleMention | null): Span[] {
  return vehicle ? [vehicle.makeSpan, ...(vehicle.modelSpan ? [vehicle.modelSpan] : [])] : [];
}

/**
 * What a listing's title says, and why it is no car when it is none. Never throws.
 * @param now a car is at most of the next model year
 */
export function readTitle(title: string, now: Date = new Date()): TitleReading {
  const words = titleWords(title);
  const lastYear = now.getUTCFullYear() + 1;
  const { vehicles, otherMake } = findVehicles(words, findYear(words, [], lastYear)?.year ?? null);
  const vehicle = vehicles.find((mention) => !mention.weak || isBornOut(words, mention, lastYear)) ?? null;
  const spans = spansOf(vehicle);
  const year = findYear(words, spans, lastYear);
  const named = vehicle && {
    make: vehicle.make,
    start: Math.min(...spans.map(({ start }) => start)),
    end: Math.max(...spans.map(({ end }) => end)),
    hasMake: !vehicle.implied,
    hasModel: vehicle.modelSpan !== null,
    isCatalogued: vehicle.model !== null,
    hasYear: year !== null,
  };
  const notACar = isNotACar(words, named);
  // `2005 Vespa Granturismo`: the name was an ordinary word after all.
  if (vehicle?.weak && namesOtherThing(words, named)) return { ...nothing, year: year?.year ?? null, otherMake };
  const filed = vehicle?.model ? filedUnder(vehicle.make, vehicle.model, year?.year ?? null) : vehicle;
  return {
    year: year?.year ?? null,
    make: filed?.make ?? null,
    model: filed?.model ?? null,
    isCar: vehicle !== null && !notACar,
    notACar,
    otherMake,
  };
}

/** A name that may be an ordinary word is a car's with the year beside it, or among words that are said of cars. */
function isBornOut(words: readonly Word[], mention: VehicleMention, lastYear: number): boolean {
  const spans = spansOf(mention);
  const year = findYear(words, spans, lastYear);
  if (yearIsBeside(words, year, spans) || hasName(words, (key) => onlyCars.has(key))) return true;
  return year !== null && hasName(words, (key) => trims.has(key));
}

/** Year, make and model of a listing's title, as far as it states them. Never throws. */
export function parseTitle(title: string, now?: Date): ParsedTitle {
  const { year, make, model, isCar } = readTitle(title, now);
  return { year, make, model, isCar };
}
