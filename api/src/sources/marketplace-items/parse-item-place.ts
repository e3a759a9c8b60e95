import { greatCircleMiles } from '../../domain/places/distance.ts';
import { placeWords, stateOf } from '../../domain/places/place-names.ts';
import type { Gazetteer, Place } from '../../domain/places/places.ts';
import { type Fields, innerOf, isRecord, numberOf, textOf } from './parse-item-fields.ts';

export interface ItemPlace {
  city: string | null;
  state: string | null;
  lat: number | null;
  lng: number | null;
}

/** Coordinates farther than this from the place that the seller names are wrong. */
const FARTHEST_MILES = 100;
const MAX_NAME = 100;

function coordinatesOf(fields: Fields, location: Fields): { lat: number; lng: number } | null {
  for (const source of [location, fields, innerOf(location, 'coordinates', 'geo')]) {
    const lat = numberOf(source, 'latitude', 'lat');
    const lng = numberOf(source, 'longitude', 'lng', 'lon', 'long');
    if (lat === null || lng === null || Math.abs(lat) > 90 || Math.abs(lng) > 180) continue;
    // The point off Africa is where broken records lie.
    if (lat !== 0 || lng !== 0) return { lat, lng };
  }
  return null;
}

/** Names of the place, the surest first. */
function namesOf(fields: Fields, location: Fields): string[] {
  const geocode = innerOf(location, 'reversegeocode');
  const city = textOf(geocode, 'city') ?? textOf(location, 'city', 'addresslocality');
  const state = textOf(geocode, 'state') ?? textOf(location, 'state', 'region', 'addressregion');
  const page = textOf(innerOf(geocode, 'citypage'), 'displayname');
  const written =
    textOf(fields, 'locationtext') ?? (isRecord(fields.get('location')) ? null : textOf(fields, 'location'));
  const zip =
    textOf(innerOf(location, 'reversegeocodedetailed'), 'postalcodetrimmed', 'postalcode') ??
    textOf(location, 'postalcode', 'zip');
  const named = city && state ? `${city}, ${state}` : city;
  const own = city ? null : [textOf(fields, 'city'), textOf(fields, 'state')].filter(Boolean).join(', ');
  return [named, written, own, page, zip].flatMap((name) => (name ? [name.slice(0, MAX_NAME)] : []));
}

function labelOf(name: string | undefined, place: Place | null): { city: string | null; state: string | null } {
  if (place) return { city: place.name, state: place.state };
  if (!name || !/\p{L}/u.test(name)) return { city: null, state: null };
  const comma = name.lastIndexOf(',');
  const state = comma < 0 ? null : stateOf(placeWords(name.slice(comma + 1)));
  return { city: (comma < 0 ? name : name.slice(0, comma)).trim() || null, state };
}

/** Where the car stands: its coordinates, unless they lie far from the US place that is named; else that place's centre. */
export function parseItemPlace(fields: Fields, gazetteer: Gazetteer): ItemPlace {
  const location = innerOf(fields, 'location', 'itemlocation', 'address');
  const point = coordinatesOf(fields, location);
  const country =
    textOf(innerOf(location, 'reversegeocodedetailed'), 'countryalphatwo') ??
    textOf(location, 'country', 'addresscountry');
  const names = namesOf(fields, location);
  const abroad = country !== null && !/^(us|usa|united states|pr)$/i.test(country);
  const place = abroad ? null : firstPlace(names, gazetteer, point);
  const label = labelOf(names[0], place);
  if (!point) return { ...label, lat: place?.lat ?? null, lng: place?.lng ?? null };
  const far = place !== null && greatCircleMiles(point.lat, point.lng, place.lat, place.lng) > FARTHEST_MILES;
  return { ...label, lat: far ? place.lat : point.lat, lng: far ? place.lng : point.lng };
}

function firstPlace(
  names: readonly string[],
  gazetteer: Gazetteer,
  near: { lat: number; lng: number } | null,
): Place | null {
  for (const name of names) {
    const place = gazetteer.resolve(name, near ?? undefined);
    if (place) return place;
  }
  return null;
}
