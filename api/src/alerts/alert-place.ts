import type { Faults } from '../domain/judge-form.ts';
import type { Gazetteer, Place } from '../domain/places/places.ts';

const UNKNOWN_PLACE = "We couldn't find that place. Try a city and state, or a ZIP code.";

/** Finds the place that was typed, or adds its fault. */
export function resolvePlace(gazetteer: Gazetteer, { location }: { location: string }, faults: Faults): Place | null {
  if (faults.location) return null;
  const place = gazetteer.resolve(location);
  if (!place) faults.location = UNKNOWN_PLACE;
  return place;
}
