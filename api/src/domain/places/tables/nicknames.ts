import { readDataFile } from '../../../base/data-folder.ts';
import { isWithinEdits } from '../../titles/spelling.ts';
import type { Place } from '../place.ts';
import { placeKey, placeWords, splitState } from '../place-names.ts';
import type { PlaceIndex } from './place-index.ts';
import type { ZipIndex } from './zip-index.ts';

const kinds = new Set(
  'afb sfb sfs nas ns nb nsb nsa mcas mcb mcrd arb ars angb aaf jb base army naval navy airfield military'.split(' '),
);
/** Words of kinds that are written out: `Air Force Base`, `Naval Air Station`. */
const kindWords = new Set(
  'air force space station marine marines corps post national guard reserve joint submarine sub us the'.split(' '),
);

interface Bases {
  add(words: readonly string[], place: Place): void;
  /** The base of this name, of any kind: `Peterson SFB` was an AFB. @param state null if none is stated */
  called(words: readonly string[], state: string | null): Place | null;
}

const properName = (words: readonly string[]) =>
  placeKey(words.filter((word) => !kinds.has(word) && !kindWords.has(word)));

/** Military bases by their proper name, for texts that name a kind of base. */
function makeBases(): Bases {
  const places = new Map<string, Place[]>();
  return {
    add(words, place) {
      const key = properName(words);
      const known = places.get(key);
      if (known) known.push(place);
      else places.set(key, [place]);
    },
    called(words, state) {
      if (!words.some((word) => kinds.has(word))) return null;
      const found = places.get(properName(words)) ?? [];
      return found.find((place) => state === null || place.state === state) ?? null;
    },
  };
}

export interface Nicknames {
  bases: Bases;
  /** The places of the name without a state, each in another state, the usual one first. */
  alone(key: string): readonly Place[];
  /** The place of the name with its state. */
  inState(key: string, state: string): Place | null;
  /** Whether the name is under the heading `# Regions`, as it is wider than a city. */
  isRegion(key: string, state: string): boolean;
  /** Whether it is preferred to a place of the same name in its state. */
  isPreferred(key: string, state: string): boolean;
  /** The place of a name with one edit. @param state null if none is stated */
  nearly(key: string, state: string | null): Place | null;
  /** Places whose nickname begins with the prefix, if it is half of the name and at least four letters. */
  startingWith(prefix: string): Place[];
}

const MIN_SUGGESTED_LENGTH = 4;
const MIN_MISSPELT_LENGTH = 7;

/**
 * Reads `geo/nicknames.txt`: `names = Place, ST ZIP`. `~` marks names that need their state, and `!` names that are
 * preferred to a place of the same name in that state. The optional ZIP gives the coordinates.
 * @throws Error if a line's place is not in the tables
 */
export function readNicknames(index: PlaceIndex, zips: ZipIndex): Nicknames {
  const alone = new Map<string, Place[]>();
  const beside = new Map<string, Place>();
  const stronger = new Set<string>();
  const regions = new Set<string>();
  const bases = makeBases();
  let heading = '';
  for (const line of readDataFile('geo/nicknames.txt').split('\n')) {
    const [names = '', target = ''] = line.split(' = ');
    if (line.startsWith('# ')) heading = line;
    if (line.startsWith('#') || target === '') continue;
    const place = targetOf(target, index, zips);
    if (!place) throw new Error(`geo/nicknames.txt: ${target} is no place`);
    for (const name of names.split(', ')) {
      const words = placeWords(name);
      const key = placeKey(words);
      if (heading === '# Bases') bases.add(words, place);
      // `crescent city la` is also found by `Crescent City, Louisiana`.
      const way = splitState(words).find(({ state }) => state === place.state);
      const short = way && way.name.length > 0 ? `${placeKey(way.name)} ${place.state}` : '';
      if (short && !beside.has(short)) {
        beside.set(short, place);
        if (heading === '# Regions') regions.add(short);
      }
      if (!beside.has(`${key} ${place.state}`)) beside.set(`${key} ${place.state}`, place);
      if (heading === '# Regions') regions.add(`${key} ${place.state}`);
      if (name.startsWith('!')) stronger.add(`${key} ${place.state}`);
      if (!name.startsWith('~')) alone.set(key, [...(alone.get(key) ?? []), place]);
    }
  }
  return {
    bases,
    alone: (key) => alone.get(key) ?? [],
    inState: (key, state) => beside.get(`${key} ${state}`) ?? null,
    isRegion: (key, state) => regions.has(`${key} ${state}`),
    isPreferred: (key, state) => stronger.has(`${key} ${state}`),
    nearly(key, state) {
      if (key.length < MIN_MISSPELT_LENGTH) return null;
      const isMeant = (name: string) => name[0] === key[0] && isWithinEdits(key, name, 1);
      if (state === null) {
        for (const [name, [place]] of alone) if (place && isMeant(name)) return place;
        return null;
      }
      for (const [name, place] of beside) if (place.state === state && isMeant(name.slice(0, -3))) return place;
      return null;
    },
    startingWith: (prefix) =>
      [...alone].flatMap(([key, [place]]) =>
        place &&
        prefix.length >= MIN_SUGGESTED_LENGTH &&
        !key.endsWith('afb') &&
        key.length <= prefix.length * 2 &&
        key.startsWith(prefix)
          ? [place]
          : [],
      ),
  };
}

function targetOf(target: string, index: PlaceIndex, zips: ZipIndex): Place | null {
  const zip = /\d{5}$/.exec(target)?.[0];
  const way = splitState(placeWords(target.replace(/\d{5}$/, '')))[0];
  const place = way ? index.inState(placeKey(way.name), way.state) : null;
  if (!place || zip === undefined) return place;
  const point = zips.exact(zip);
  return point && { ...place, lat: point.lat, lng: point.lng };
}
