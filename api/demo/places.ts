import { readDataFile } from '../src/base/data-folder.ts';
import { greatCircleMiles } from '../src/domain/places/place.ts';

export interface DemoPlace {
  city: string;
  state: string;
  lat: number;
  lng: number;
  /** The population of this place and all places before it. */
  upTo: number;
}

const LOS_ANGELES = { lat: 34.05223, lng: -118.24368 };
/** A listing is a few miles off its place's centre, and must stay within 30. */
const NEAR_MILES = 24;

function withSums(places: Omit<DemoPlace, 'upTo'>[], populations: number[]): DemoPlace[] {
  let upTo = 0;
  return places.map((place, index) => {
    upTo += populations[index] ?? 0;
    return { ...place, upTo };
  });
}

function readPlaces(): { everywhere: DemoPlace[]; nearLosAngeles: DemoPlace[] } {
  const places: Omit<DemoPlace, 'upTo'>[] = [];
  const populations: number[] = [];
  const known = new Set<string>();
  for (const line of readDataFile('geo/us-places.csv').split('\n').slice(1)) {
    const [city = '', state = '', lat, lng, population, , , kind] = line.split(',');
    // Townships contain towns, so their people would be counted twice.
    if (kind?.trim() !== 'place' || !(Number(population) > 0)) continue;
    // The file has the larger of two places with one name first, which a seller means.
    const name = `${city}, ${state}`.toLowerCase();
    if (known.has(name)) continue;
    known.add(name);
    places.push({ city, state, lat: Number(lat), lng: Number(lng) });
    populations.push(Number(population));
  }
  const near = places.flatMap((place, index) =>
    greatCircleMiles(LOS_ANGELES.lat, LOS_ANGELES.lng, place.lat, place.lng) <= NEAR_MILES ? [index] : [],
  );
  return {
    everywhere: withSums(places, populations),
    nearLosAngeles: withSums(
      near.flatMap((index) => places[index] ?? []),
      near.map((index) => populations[index] ?? 0),
    ),
  };
}

export const { everywhere, nearLosAngeles } = readPlaces();

/** Chooses a place in proportion to its population. @param at from 0 up to 1 */
export function placeByPopulation(places: readonly DemoPlace[], at: number): DemoPlace {
  const wanted = at * (places.at(-1)?.upTo ?? 0);
  let low = 0;
  let high = places.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((places[middle]?.upTo ?? 0) > wanted) high = middle;
    else low = middle + 1;
  }
  const place = places[low];
  if (!place) throw new Error('us-places.csv holds no place');
  return place;
}
