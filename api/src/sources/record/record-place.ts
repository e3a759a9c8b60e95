import { greatCircleMiles } from '../../domain/places/place.ts';
import { placeWords, splitState, stateOf } from '../../domain/places/place-names.ts';
import type { Gazetteer, Place } from '../../domain/places/places.ts';
import { cleanTitle } from '../../domain/titles/title-words.ts';
import { type Fields, fieldsOf, isRecord, nestedFieldsOf, numberOf, textOf } from './record-fields.ts';

interface Point {
  lat: number;
  lng: number;
}

/** A point, coordinates that lie nowhere on earth, or none. */
type PointReading = Point | 'impossible' | null;

function pointAt(lat: number | null, lng: number | null): PointReading {
  if (lat === null || lng === null) return null;
  if (!(Math.abs(lat) <= 90 && Math.abs(lng) <= 180)) return 'impossible';
  // Broken records often state 0, 0, which is a point off Africa.
  return lat === 0 && lng === 0 ? null : { lat, lng };
}

/** GeoJSON writes longitude first. The order is swapped where only that makes both numbers possible. */
function pointOfPair(value: unknown): PointReading {
  if (!Array.isArray(value) || value.length < 2) return null;
  const [lng, lat] = value.slice(0, 2).map((part) => numberOf(new Map([['n', part]]), 'n'));
  if (lng == null || lat == null) return null;
  return Math.abs(lat) > 90 && Math.abs(lng) <= 90 ? pointAt(lng, lat) : pointAt(lat, lng);
}

function pointOfText(text: string | null): PointReading {
  const [, lat, lng] = /^\(?\s*(-?\d{1,3}\.\d+)(?:\s*[,;]\s*|\s+)(-?\d{1,3}\.\d+)\s*\)?$/.exec(text ?? '') ?? [];
  return lat === undefined ? null : pointAt(Number(lat), Number(lng));
}

const latNames = ['latitude', 'lat'];
const lngNames = ['longitude', 'lng', 'lon', 'long'];

/** Whether a field is stated and no number, such as `NaN` or `abc`; objects don't count. */
function isBroken(fields: Fields, names: string[]): boolean {
  return names.some((name) => {
    const value = fields.get(name);
    return (
      typeof value === 'string' &&
      numberOf(fields, name) === null &&
      !/^(null|none|undefined|n\/a|-)?$/i.test(value.trim())
    );
  });
}

/** The coordinates in one object, by any of the names and orders in use. */
function recordPoint(fields: Fields): PointReading {
  let impossible = false;
  const inner = nestedFieldsOf(fields, 'coordinates', 'geo', 'position', 'point', 'geometry', 'latlng');
  for (const source of [fields, inner]) {
    for (const point of [
      pointAt(numberOf(source, ...latNames), numberOf(source, ...lngNames)),
      pointOfPair(source.get('coordinates')),
      pointOfText(textOf(source, 'latlng', 'geo', 'coordinates', 'position')),
    ]) {
      if (point !== null && point !== 'impossible') return point;
      impossible ||= point === 'impossible';
    }
    impossible ||= isBroken(source, latNames) || isBroken(source, lngNames);
  }
  return impossible ? 'impossible' : null;
}

interface RecordPlace {
  city: string | null;
  state: string | null;
  lat: number | null;
  lng: number | null;
}

/** Coordinates farther than this from the place that the seller names are wrong. */
const FARTHEST_MILES = 100;
/** A name without state or ZIP means a US place only from this size on: `Munich` is no village of North Dakota. */
const KNOWN_POPULATION = 25_000;
const MAX_NAME = 100;
const inUnitedStates =
  /^(us|usa|u\.s\.(a\.)?|united states( of america)?|america|pr|puerto rico|gu|vi|as|mp|nyc|840)$/i;

const MAX_OFFERS = 10;

/** The object that states the record's place, of all that may do so the most reliable one. */
function placesOf(fields: Fields): Fields {
  const offers = [fields.get('offers')]
    .flat()
    .slice(0, MAX_OFFERS)
    .map((offer) => fieldsOf(offer));
  const own = nestedFieldsOf(fields, 'location', 'itemlocation', 'address', 'availableatorfrom', 'contentlocation');
  const others = [
    ...offers.map((offer) => nestedFieldsOf(offer, 'availableatorfrom')),
    ...[...offers, fields].map((offer) => nestedFieldsOf(offer, 'seller', 'offeredby', 'dealer')),
  ];
  return [own, ...others].find((place) => isNamed(place) || recordPoint(place) !== null) ?? own;
}

const addressOf = (place: Fields) =>
  fieldsOf(Object.fromEntries(nestedFieldsOf(place, 'address')), Object.fromEntries(place));

const isNamed = (place: Fields) =>
  ['city', 'addresslocality', 'reversegeocode', 'reversegeocodedetailed', 'address', 'postalcode', 'zip'].some((name) =>
    place.has(name),
  );

/** The names of the place, the most reliable first. */
function namesOf(fields: Fields, place: Fields): string[] {
  const address = addressOf(place);
  const geocode = nestedFieldsOf(place, 'reversegeocode');
  const city = textOf(geocode, 'city') ?? textOf(address, 'city', 'addresslocality', 'town');
  const state =
    textOf(geocode, 'state') ?? textOf(address, 'state', 'statecode', 'region', 'addressregion', 'province');
  const page = textOf(nestedFieldsOf(geocode, 'citypage'), 'displayname') ?? textOf(place, 'displayname');
  const location = fields.get('location');
  const written = [
    textOf(fields, 'locationtext', 'locationname'),
    isRecord(location) ? textOf(place, 'text', 'name') : null,
    textOf(place, 'formattedaddress', 'fulladdress', 'address'),
    isRecord(location) ? null : textOf(fields, 'location', 'itemlocation', 'address'),
  ];
  const zipNames = ['postalcodetrimmed', 'postalcode', 'zipcode', 'zip'];
  const zip = textOf(nestedFieldsOf(place, 'reversegeocodedetailed'), ...zipNames) ?? textOf(address, ...zipNames);
  const own = [textOf(fields, 'city'), textOf(fields, 'state', 'region')].filter(Boolean).join(', ');
  const names = [city && state ? `${city}, ${state}` : city, ...written, city ? null : own, page];
  return [...names, zip ?? textOf(fields, ...zipNames)].flatMap((name) => (name ? [name.slice(0, MAX_NAME)] : []));
}

function labelOf(name: string | undefined, place: Place | null): { city: string | null; state: string | null } {
  if (place) return { city: place.name, state: place.state };
  if (!name || !/\p{L}/u.test(name)) return { city: null, state: null };
  const comma = name.lastIndexOf(',');
  const state = comma < 0 ? null : stateOf(placeWords(name.slice(comma + 1)));
  return { city: cleanTitle(comma < 0 ? name : name.slice(0, comma)) || null, state };
}

/** Whether a region that is no US state follows the name: `Vancouver, BC` is not the Vancouver of Washington. */
function isForeignRegion(name: string): boolean {
  const [, region] = /,\s*([a-z]{2,3})\.?\s*$/i.exec(name) ?? [];
  return region !== undefined && stateOf([region.toLowerCase()]) === null && !inUnitedStates.test(region);
}

const hasState = (name: string) => splitState(placeWords(name)).some((way) => way.name.length > 0);
const hasZip = (name: string) => /(?<!\d)\d{5}(?!\d)/.test(name);

const isNear = (place: Place, point: Point | null) =>
  point !== null && greatCircleMiles(point.lat, point.lng, place.lat, place.lng) <= FARTHEST_MILES;

/** Whether the point is outside the US, where five digits are no ZIP code. */
const liesAbroad = (point: Point | null) =>
  point !== null && !(point.lat > 13 && point.lat < 72 && (point.lng < -64 || point.lng > 144));

/** The place of the first name that certainly is in the US: by its state or ZIP, its size, or the coordinates. */
function firstPlace(names: readonly string[], gazetteer: Gazetteer, near: Point | null, isUs: boolean): Place | null {
  for (const name of names) {
    const place = isForeignRegion(name) ? null : gazetteer.resolve(name, near ?? undefined);
    const sure = isUs || hasState(name) || (hasZip(name) && !liesAbroad(near));
    if (place && (sure || place.population >= KNOWN_POPULATION || isNear(place, near))) return place;
  }
  return null;
}

/** Why a record has an invalid place: its coordinates lie nowhere on earth and no place is named; else null. */
export function placeFault(fields: Fields): string | null {
  const location = placesOf(fields);
  const read = recordPoint(location) ?? recordPoint(fields);
  return read === 'impossible' && namesOf(fields, location).length === 0
    ? 'the coordinates lie nowhere on earth'
    : null;
}

/**
 * Where the car is: at its coordinates, unless they are far from the US place that is named; else at that place's centre.
 * An unknown place, or one abroad, has no coordinates.
 */
export function recordPlace(fields: Fields, gazetteer: Gazetteer): RecordPlace {
  const location = placesOf(fields);
  const read = recordPoint(location) ?? recordPoint(fields);
  const point = read === 'impossible' ? null : read;
  const country =
    textOf(nestedFieldsOf(location, 'reversegeocodedetailed'), 'countryalphatwo') ??
    textOf(addressOf(location), 'countrycode', 'country', 'addresscountry') ??
    textOf(fields, 'countrycode', 'country');
  const names = namesOf(fields, location);
  const isUs = country !== null && inUnitedStates.test(country);
  const place = country !== null && !isUs ? null : firstPlace(names, gazetteer, point, isUs);
  const label = labelOf(names[0], place);
  const at = point && (place === null || isNear(place, point)) ? point : place;
  return { ...label, lat: at?.lat ?? null, lng: at?.lng ?? null };
}
