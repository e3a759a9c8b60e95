import type { Gazetteer } from '../../domain/places/places.ts';
import { fieldsOf } from '../record/record-fields.ts';
import { recordPlace } from '../record/record-place.ts';
import { feedAddress } from '../vehicle-feed/parse-feed-place.ts';
import type { SourceSettings } from './source-kinds.ts';

/** A place that settings name, and where they name it. */
interface NamedPlace {
  /** As paths of a faulty setting: `stores.AUSTIN-01`. */
  path: string;
  text: string;
  isKnown(gazetteer: Gazetteer): boolean;
}

/** Each place is read as the reader of its kind reads it, so that none is refused that is understood. */
function placesOf(source: SourceSettings): NamedPlace[] {
  if (source.kind === 'vehicle-pages' && source.place !== undefined) {
    const { place } = source;
    const isKnown = (gazetteer: Gazetteer) => recordPlace(fieldsOf({ locationText: place }), gazetteer).lat !== null;
    return [{ path: 'place', text: place, isKnown }];
  }
  if (source.kind !== 'google-vehicle-feed') return [];
  return Object.entries(source.stores).map(([code, text]) => ({
    path: `stores.${code}`,
    text,
    isKnown: (gazetteer) =>
      recordPlace(fieldsOf({ address: feedAddress({ address: text }, gazetteer) }), gazetteer).lat !== null,
  }));
}

/** @param place as it was written */
const unknownPlace = (place: string) => `“${place.slice(0, 60)}” is no US city and state, or ZIP code, that is known`;

/**
 * What is wrong with the places that a source's settings name: cars at one that is not known would match no alert.
 * @param gazetteer only called where there is a place
 */
export function placeFaults(source: SourceSettings, gazetteer: () => Gazetteer): { path: string; message: string }[] {
  return placesOf(source)
    .filter(({ isKnown }) => !isKnown(gazetteer()))
    .map(({ path, text }) => ({ path, message: unknownPlace(text) }));
}
