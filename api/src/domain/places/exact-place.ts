import { isNear, milesBetween, type Place, type Point } from './place.ts';
import { placeKey, placeWords, splitState, stateOf } from './place-names.ts';
import { meansAbroad } from './tables/abroad.ts';
import { makeNeighbourhoods, type Neighbourhoods } from './tables/neighbourhoods.ts';
import { type Nicknames, readNicknames } from './tables/nicknames.ts';
import type { PlaceIndex } from './tables/place-index.ts';
import { type Counties, isPartOfStateOnly, makeCounties, makeStateParts, type StateParts } from './tables/regions.ts';
import type { Localities, ZipIndex } from './tables/zip-index.ts';

/** The name of a state alone means a place only if a place of that name is this large: New York, Washington. */
const MIN_STATE_NAMESAKE_POPULATION = 100_000;
/**
 * A nickname's place is preferred to a town of that name in another state if it is larger; to a large town, if it is
 * ten times larger.
 */
const LARGE_TOWN_POPULATION = 20_000;
const LARGE_TOWN_RATIO = 10;
/** A part of a large city is preferred to a smaller place of the same name. */
const TOWN_POPULATION = 2000;
const PART_MILES = 25;
const REGION_MILES = 300;

const wideRegions = new Set(
  'northeast northwest southeast southwest midwest westcoast eastcoast deepsouth pacificnorthwest'.split(' '),
);

/** Whether the words name a region of several states, which is no place, such as `Midwest`. */
export const isWideRegion = (words: readonly string[]): boolean => wideRegions.has(words.join(''));

/** A region is represented by its largest place, or by `near` if that is within it. */
function inRegion(place: Place, near?: Point): Place {
  const isIn = near && milesBetween(place, near) <= REGION_MILES;
  return { ...place, ...(isIn ? { lat: near.lat, lng: near.lng } : {}), isRegion: true };
}

/** Whether the words may mean a place in the state: `Flo, MO` none in Texas, but `downtown LA` one in California. */
function mayBeIn(words: readonly string[], state: string): boolean {
  const splits = splitState(words);
  if (splits.every(({ name }) => name.length === 0)) return true;
  const isNamed = (word: string) => stateOf([word]) === state || (word === 'la' && state === 'CA');
  return splits.some((split) => split.state === state) || words.some(isNamed);
}

export interface ExactPlaces {
  nicknames: Nicknames;
  neighbourhoods: Neighbourhoods;
  /** The place that the words name, with or without a state. @param words in lower case, without punctuation */
  find(words: readonly string[], near?: Point): Place | null;
  inState(name: readonly string[], state: string, near?: Point): Place | null;
}

/** Finds places by exact names: of places, nicknames, counties, parts of states and parts of cities. */
export function makeExactPlaces(index: PlaceIndex, zips: ZipIndex, localities: Localities): ExactPlaces {
  const nicknames = readNicknames(index, zips);
  const counties: Counties = makeCounties(index);
  const stateParts: StateParts = makeStateParts(index);
  const neighbourhoods = makeNeighbourhoods(index);

  function partOfState(name: readonly string[], state: string, near?: Point): Place | null {
    const part = stateParts.placeOf(name, state);
    return part && inRegion(nicknames.inState(placeKey(name), state) ?? part, near);
  }

  function inState(name: readonly string[], state: string, near?: Point): Place | null {
    if (name.length === 0) return null;
    if (isPartOfStateOnly(name)) return partOfState(name, state, near);
    const key = placeKey(name);
    const called = index.inState(key, state, name);
    const nicknamed = nicknames.inState(key, state);
    if (called && !nicknames.isPreferred(key, state)) return preferPart(key, name, called);
    if (nicknamed) return nicknames.isRegion(key, state) ? inRegion(nicknamed, near) : nicknamed;
    const region = stateParts.placeOf(name, state) ?? counties.placeOf(name, state);
    if (region) return inRegion(region, near);
    return (
      localities.partOfCity(key, state) ?? neighbourhoods.inState(key, state) ?? nicknames.bases.called(name, state)
    );
  }

  /**
   * Prefers a part of a city to a post office without population (Alief), or to a small place spelled otherwise
   * (Bayview).
   */
  function preferPart(key: string, name: readonly string[], called: Place): Place {
    const isSpelled = placeWords(called.name).join(' ') === name.join(' ');
    if (called.population > (isSpelled ? 0 : TOWN_POPULATION)) return called;
    const city = neighbourhoods.inState(key, called.state);
    return city && milesBetween(city, called) > PART_MILES ? city : called;
  }

  const beats = (nicknamed: Place, called: Place, key: string) =>
    nicknamed.state === called.state
      ? nicknames.isPreferred(key, called.state)
      : nicknamed.population >= called.population * (called.population < LARGE_TOWN_POPULATION ? 1 : LARGE_TOWN_RATIO);

  /** A part of Los Angeles, as in `West LA` or `Highland Park LA`, unless Louisiana has a place of that name. */
  function partOfLosAngeles(words: readonly string[], name: readonly string[]): Place | null {
    const part = neighbourhoods.ofLosAngeles(placeKey(words));
    return part ?? (index.inState(placeKey(name), 'LA') ? null : neighbourhoods.ofLosAngeles(placeKey(name)));
  }

  function partWithoutState(words: readonly string[], key: string): Place | null {
    const city = neighbourhoods.alone(key);
    return city && mayBeIn(words, city.state) ? city : null;
  }

  function withoutState(words: readonly string[], isState: boolean, near?: Point): Place | null {
    if (isWideRegion(words)) return null;
    const key = placeKey(words);
    const isNearby = (place: Place) => near !== undefined && isNear(place, near);
    const called = index.called(key, near);
    const meant = nicknames.alone(key).filter(({ state }) => mayBeIn(words, state));
    const nicknamed = meant.find(isNearby) ?? meant[0];
    const isCalledNear = called !== null && isNearby(called) && !(nicknamed && isNearby(nicknamed));
    if (nicknamed && !isCalledNear && (!called || beats(nicknamed, called, key)))
      return nicknames.isRegion(key, nicknamed.state) ? inRegion(nicknamed, near) : nicknamed;
    if (!called) {
      const county = counties.placeOf(words, null);
      return county ? inRegion(county, near) : (partWithoutState(words, key) ?? nicknames.bases.called(words, null));
    }
    const isSmall = called.population < TOWN_POPULATION && !isNearby(called);
    const city = isSmall ? partWithoutState(words, key) : null;
    // A town near the city is the part itself: La Jolla.
    if (city && milesBetween(city, called) > PART_MILES) return city;
    // `A, MO` is not Amo: a state at the end belongs to the name only if it is one of its words.
    if (splitState(words).length > 0 && placeWords(called.name).at(-1) !== words.at(-1)) return null;
    if (isState && called.population < MIN_STATE_NAMESAKE_POPULATION) return null;
    return isNearby(called) || !meansAbroad(key, called.population) ? called : null;
  }

  function find(words: readonly string[], near?: Point): Place | null {
    if (words.length === 0) return null;
    const splits = splitState(words);
    // The words are only a state: `W Va` is one, not the west of Virginia.
    if (splits.some(({ name }) => name.length === 0)) {
      const city = withoutState(words, true, near);
      // If the point is elsewhere, `LA` and `Washington` are the states, which are no places.
      return city && near && !isNear(city, near) ? null : city;
    }
    for (const { name, state } of splits) {
      const inLosAngeles = words.at(-1) === 'la' && state === 'LA' ? partOfLosAngeles(words, name) : null;
      if (inLosAngeles) return inLosAngeles;
      // `West Texas` is a region, `West, TX` a town.
      const isSpelled = words.length - name.length > 1 || (words.at(-1)?.length ?? 0) > 2;
      const place = (isSpelled ? partOfState(name, state, near) : null) ?? inState(name, state, near);
      if (place) return place;
    }
    return withoutState(words, false, near);
  }

  return { nicknames, neighbourhoods, find, inState };
}
