import { isNear, milesBetween, type Place, type Point } from './place.ts';
import { placeKey, placeWords, splitState, stateOf } from './place-names.ts';
import { meansAbroad } from './tables/abroad.ts';
import { makeNeighbourhoods, type Neighbourhoods } from './tables/neighbourhoods.ts';
import { type Nicknames, readNicknames } from './tables/nicknames.ts';
import type { PlaceIndex } from './tables/place-index.ts';
import { type Counties, isPartOnly, makeCounties, makeStateParts, type StateParts } from './tables/regions.ts';
import type { Localities, ZipIndex } from './tables/zip-index.ts';

/** A state's name alone means a place only where a large one is called so: New York, Washington. */
const STATE_LIKE_POPULATION = 100_000;
/** A nickname means a place of another state rather than a town so called that is this large when it is this many times as large. */
const NAMESAKE = 20_000;
const NAMESAKE_RATIO = 10;
/** A place of fewer people yields to a large city's part that is called so. */
const TOWN_POPULATION = 2000;
const PART_MILES = 25;
const REGION_MILES = 300;

const wideRegions = new Set(
  'northeast northwest southeast southwest midwest westcoast eastcoast deepsouth pacificnorthwest'.split(' '),
);

/** `Midwest`: several states, and no place even where a village is called so. */
export const isWideRegion = (words: readonly string[]): boolean => wideRegions.has(words.join(''));

/** A region's largest place stands for all of it: a point in it is as good a place. */
function inRegion(place: Place, near?: Point): Place {
  const isIn = near && milesBetween(place, near) <= REGION_MILES;
  return isIn ? { ...place, lat: near.lat, lng: near.lng } : place;
}

/** Whether a name of these words may mean a place of the state: not `Flo, MO` one in Texas, but `downtown LA` one in California. */
function mayBeIn(words: readonly string[], state: string): boolean {
  const ways = splitState(words);
  if (ways.every(({ name }) => name.length === 0)) return true;
  const isNamed = (word: string) => stateOf([word]) === state || (word === 'la' && state === 'CA');
  return ways.some((way) => way.state === state) || words.some(isNamed);
}

export interface ExactPlaces {
  nicknames: Nicknames;
  neighbourhoods: Neighbourhoods;
  /** What the words say in full, state included or not. @param words lower case, without punctuation */
  find(words: readonly string[], near?: Point): Place | null;
  inState(name: readonly string[], state: string, near?: Point): Place | null;
}

/** Places by their names, nicknames, counties, parts of states and of cities: no letter is guessed. */
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
    if (isPartOnly(name)) return partOfState(name, state, near);
    const key = placeKey(name);
    const called = index.inState(key, state, name);
    const nicknamed = nicknames.inState(key, state);
    if (called && !nicknames.beatsNamesake(key, state)) return partRather(key, name, called);
    if (nicknamed) return nicknames.isRegion(key, state) ? inRegion(nicknamed, near) : nicknamed;
    const region = stateParts.placeOf(name, state) ?? counties.placeOf(name, state);
    if (region) return inRegion(region, near);
    return (
      localities.partOfCity(key, state) ?? neighbourhoods.inState(key, state) ?? nicknames.bases.called(name, state)
    );
  }

  /** A post office without people may lie anywhere (Alief is in Houston); `Bay View` is not the village Bayview. */
  function partRather(key: string, name: readonly string[], called: Place): Place {
    const isSpelled = placeWords(called.name).join(' ') === name.join(' ');
    if (called.population > (isSpelled ? 0 : TOWN_POPULATION)) return called;
    const city = neighbourhoods.inState(key, called.state);
    return city && milesBetween(city, called) > PART_MILES ? city : called;
  }

  const beats = (nicknamed: Place, called: Place, key: string) =>
    nicknamed.state === called.state
      ? nicknames.beatsNamesake(key, called.state)
      : nicknamed.population >= called.population * (called.population < NAMESAKE ? 1 : NAMESAKE_RATIO);

  /** `West LA`, `Highland Park LA`, where Louisiana has no place so called. */
  function partOfLosAngeles(words: readonly string[], name: readonly string[]): Place | null {
    const part = neighbourhoods.ofLosAngeles(placeKey(words));
    return part ?? (index.inState(placeKey(name), 'LA') ? null : neighbourhoods.ofLosAngeles(placeKey(name)));
  }

  function partAlone(words: readonly string[], key: string): Place | null {
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
      return county ? inRegion(county, near) : (partAlone(words, key) ?? nicknames.bases.called(words, null));
    }
    const isSmall = called.population < TOWN_POPULATION && !isNearby(called);
    const city = isSmall ? partAlone(words, key) : null;
    // A town beside the city is the part itself: La Jolla.
    if (city && milesBetween(city, called) > PART_MILES) return city;
    // `A, MO` is not Amo: a state at the end is a part of the name only where it is a word of it.
    if (splitState(words).length > 0 && placeWords(called.name).at(-1) !== words.at(-1)) return null;
    if (isState && called.population < STATE_LIKE_POPULATION) return null;
    return isNearby(called) || !meansAbroad(key, called.population) ? called : null;
  }

  function find(words: readonly string[], near?: Point): Place | null {
    if (words.length === 0) return null;
    const ways = splitState(words);
    // `W Va` is a state, not the west of Virginia.
    if (ways.some(({ name }) => name.length === 0)) {
      const city = withoutState(words, true, near);
      // Beside a point elsewhere `LA` and `Washington` are the states, which are no places.
      return city && near && !isNear(city, near) ? null : city;
    }
    for (const { name, state } of ways) {
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
