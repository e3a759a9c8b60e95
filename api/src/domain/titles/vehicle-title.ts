import { isNotACar } from './not-a-car.ts';
import { findVehicles, type VehicleMention } from './title-vehicle.ts';
import { type Span, titleWords } from './title-words.ts';
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

function spansOf(vehicle: VehicleMention | null): Span[] {
  return vehicle ? [vehicle.makeSpan, ...(vehicle.modelSpan ? [vehicle.modelSpan] : [])] : [];
}

/**
 * What a listing's title says, and why it is no car when it is none. Never throws.
 * @param now a car is at most of the next model year
 */
export function readTitle(title: string, now: Date = new Date()): TitleReading {
  const words = titleWords(title);
  const { vehicles, otherMake } = findVehicles(words);
  const lastYear = now.getUTCFullYear() + 1;
  const sureOf = (mention: VehicleMention) =>
    !mention.weak || yearIsBeside(words, findYear(words, spansOf(mention), lastYear), spansOf(mention));
  const vehicle = vehicles.find(sureOf) ?? null;
  const spans = spansOf(vehicle);
  const year = findYear(words, spans, lastYear);
  const span = vehicle && {
    start: Math.min(...spans.map(({ start }) => start)),
    end: Math.max(...spans.map(({ end }) => end)),
  };
  // A model whose make isn't written may be a place or an ordinary word: Tahoe, Odyssey.
  const sure = year !== null || (vehicle?.modelSpan ?? vehicle?.makeSpan) !== vehicle?.makeSpan;
  const notACar = isNotACar(words, vehicle?.make ?? null, span, sure);
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

/** Year, make and model of a listing's title, as far as it states them. Never throws. */
export function parseTitle(title: string, now?: Date): ParsedTitle {
  const { year, make, model, isCar } = readTitle(title, now);
  return { year, make, model, isCar };
}
