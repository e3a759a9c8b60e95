import { describe, expect, test } from 'vitest';
import { factsOf, node, rejectionOf } from '../../../test/reading/marketplace-items.ts';

const { location: _, ...placeless } = node;
const placeOf = (fields: Record<string, unknown>) => {
  const { city, state, lat, lng } = factsOf({ ...placeless, ...fields });
  return { city, state, lat: lat && Math.round(lat * 10) / 10, lng: lng && Math.round(lng * 10) / 10 };
};
const none = { city: null, state: null, lat: null, lng: null };
const boulder = { city: 'Boulder', state: 'CO', lat: 40, lng: -105.3 };
const geocode = { reverse_geocode: { city: 'Boulder', state: 'CO' } };

describe('a named place, in every encoding', () => {
  test.each<[Record<string, unknown>]>([
    [{ location: geocode }],
    [{ location: { reverse_geocode: { city: 'Boulder', state: 'Colorado' } } }],
    [{ location: { reverse_geocode: { city_page: { display_name: 'Boulder, Colorado' } } } }],
    [{ location_text: { text: 'Boulder, CO' } }],
    [{ locationText: { text: 'Boulder, CO' } }],
    [{ locationText: 'Boulder, CO' }],
    [{ location: 'Boulder, CO' }],
    [{ location: 'Boulder, CO 80302' }],
    [{ location: ['Boulder, CO'] }],
    [{ location: { text: 'Boulder, CO' } }],
    [{ location: { name: 'Boulder, Colorado' } }],
    [{ location: { city: 'Boulder', state: 'CO' } }],
    [{ location: { city: { name: 'Boulder' }, state: 'CO' } }],
    [{ city: 'Boulder', state: 'CO' }],
    [{ address: { addressLocality: 'Boulder', addressRegion: 'CO', addressCountry: 'US' } }],
    [{ address: 'Boulder, CO' }],
    [{ location: { '@type': 'Place', address: { addressLocality: 'Boulder', addressRegion: 'CO' } } }],
    [{ offers: { price: 1, availableAtOrFrom: { address: { addressLocality: 'Boulder', addressRegion: 'CO' } } } }],
    [{ offers: [{}, { seller: { address: { addressLocality: 'Boulder', addressRegion: 'CO' } } }] }],
    [{ seller: { address: 'Boulder, CO' } }],
    [{ location: { city: 'Boulder', country: 'United States' } }],
  ])('%j', (fields) => {
    expect(placeOf(fields)).toEqual(boulder);
  });

  test('a ZIP code alone is a place', () => {
    for (const fields of [
      { location: { reverse_geocode_detailed: { postal_code_trimmed: '80302-2872', country_alpha_two: 'US' } } },
      { zip: '80302' },
      { location: { postalCode: 80302 } },
    ]) {
      expect(placeOf(fields)).toMatchObject({ city: 'Boulder', state: 'CO' });
    }
  });
});

describe('coordinates, in every encoding', () => {
  const point = { lat: 39.5, lng: -105 };
  test.each<[Record<string, unknown>]>([
    [{ location: { latitude: 39.5, longitude: -105 } }],
    [{ location: { latitude: '39.5', longitude: '-105.0' } }],
    [{ location: { lat: 39.5, lng: -105 } }],
    [{ location: { lat: 39.5, lon: -105 } }],
    [{ latitude: 39.5, longitude: -105 }],
    [{ location: { coordinates: { latitude: 39.5, longitude: -105 } } }],
    [{ location: { type: 'Point', coordinates: [-105, 39.5] } }],
    [{ location: { type: 'Point', coordinates: ['-105', '39.5', 1600] } }],
    [{ location: { coordinates: [39.5, -105] } }],
    [{ geo: { '@type': 'GeoCoordinates', latitude: 39.5, longitude: -105 } }],
    [{ location: { geo: { latitude: '39.5', longitude: '-105' } } }],
    [{ location: { latlng: '39.5, -105.0' } }],
    [{ offers: { availableAtOrFrom: { geo: { latitude: 39.5, longitude: -105 } } } }],
  ])('%j', (fields) => {
    expect(placeOf(fields)).toMatchObject(point);
  });

  test('are used as the position where they are near the named place', () => {
    expect(placeOf({ location: { ...geocode, latitude: 39.5, longitude: -105 } })).toEqual({ ...boulder, ...point });
  });

  test.each<[unknown, unknown]>([
    [30.2, -97.7],
    [52.35, 42.1],
    [91, 0],
    [0, 181],
    [0, 0],
    ['0', '0.0'],
    ['x', 'y'],
    ['NaN', 5],
    [null, null],
    [39.5, null],
    [1e300, 5],
    [[], {}],
  ])('%j, %j beside a name lose to it', (latitude, longitude) => {
    expect(placeOf({ location: { ...geocode, latitude, longitude } })).toEqual(boulder);
  });
});

describe('unknown and foreign places', () => {
  test('there is no place without a name and coordinates', () => {
    for (const location of [undefined, null, {}, { reverse_geocode: null }, { latitude: null, longitude: null }, 7]) {
      expect(placeOf({ location })).toEqual(none);
    }
    expect(placeOf({ location: { latitude: 0, longitude: 0 } })).toEqual(none);
  });

  test.each([
    'Liege',
    'Liège, Belgium',
    'Munich',
    'Madrid',
    'London',
    'Paris',
    'Mexico City',
    'Toronto, ON',
    'Vancouver, BC',
    'Bergen op Zoom, NB',
    'Melbourne, VIC',
    'Nowhere at all',
  ])('%s is stored without coordinates', (location) => {
    expect(placeOf({ location })).toMatchObject({ state: null, lat: null, lng: null });
  });

  test.each<[string, Record<string, unknown>]>([
    ['by its country', { city: 'Paris', country: 'FR' }],
    [
      'by its country, like a ZIP',
      { reverse_geocode_detailed: { postal_code_trimmed: '75001', country_alpha_two: 'FR' } },
    ],
    ['by its region', { text: 'London, ON' }],
  ])('a place abroad %s', (_case, location) => {
    expect(placeOf({ location })).toMatchObject({ state: null, lat: null });
  });

  test('a name without a state whose coordinates are abroad is a foreign place', () => {
    expect(placeOf({ location: { city: 'Paris', latitude: 48.9, longitude: 2.4 } })).toEqual({
      city: 'Paris',
      state: null,
      lat: 48.9,
      lng: 2.4,
    });
    expect(placeOf({ location: { postal_code: '20095', latitude: 53.5, longitude: 10 } })).toMatchObject({ lat: 53.5 });
  });

  test('a name without a state is the place near the coordinates, or else a well-known one', () => {
    const portland = { location: { city: 'Portland', latitude: 43.66, longitude: -70.26 } };
    expect(placeOf(portland)).toMatchObject({ state: 'ME', lat: 43.7 });
    expect(placeOf({ location: 'Portland' })).toMatchObject({ state: 'OR' });
  });
});

describe('BAD_PLACE: coordinates that lie nowhere, and no name', () => {
  test.each<[unknown]>([
    [{ latitude: 91, longitude: 0 }],
    [{ latitude: 40, longitude: -181 }],
    [{ latitude: '9999', longitude: '9999' }],
    [{ latitude: 'NaN', longitude: 'NaN' }],
    [{ latitude: 'abc', longitude: -105 }],
    [{ latitude: 1e300, longitude: 1 }],
    [{ coordinates: [500, 500] }],
  ])('%j', (location) => {
    expect(rejectionOf({ ...placeless, location })).toMatchObject({ code: 'BAD_PLACE', externalId: node.id });
  });
});
