import { readDataFile } from '../../../base/data-folder.ts';
import type { Place } from '../place.ts';
import { placeKey, placeWords } from '../place-names.ts';
import type { PlaceIndex } from './place-index.ts';
import { fieldsOf } from './place-tables.ts';

export interface Counties {
  /** The largest place of the named county; without a state, of the most populous county of that name. */
  placeOf(words: readonly string[], state: string | null): Place | null;
}

const kinds = new Map(
  Object.entries({
    county: 'county',
    counties: 'county',
    co: 'county',
    cnty: 'county',
    cty: 'county',
    parish: 'parish',
    par: 'parish',
    borough: 'borough',
    boro: 'borough',
    municipio: 'municipio',
    municipality: 'municipality',
  }),
);

/** Counties by name and by name with state, read on first use. */
export function makeCounties(index: PlaceIndex): Counties {
  let largest: Map<string, { place: string; state: string }> | undefined;

  function read(): Map<string, { place: string; state: string }> {
    const made = new Map<string, { place: string; state: string }>();
    // The table begins with the most populous county, which is meant without a state.
    for (const line of readDataFile('geo/us-counties.csv').split('\n').slice(1)) {
      const [name = '', state = '', , place = ''] = fieldsOf(line);
      const key = placeKey(placeWords(name));
      if (!made.has(key)) made.set(key, { place, state });
      if (!made.has(`${key} ${state}`)) made.set(`${key} ${state}`, { place, state });
    }
    return made;
  }

  function placeOf(words: readonly string[], state: string | null): Place | null {
    const isPrefixed = words.length > 2 && words[1] === 'of' && kinds.has(words[0] ?? '');
    const named = isPrefixed ? [...words.slice(2), words[0] ?? ''] : words;
    const kind = kinds.get(named.at(-1) ?? '');
    if (kind === undefined || named.length < 2) return null;
    largest ??= read();
    const key = placeKey([...named.slice(0, -1), kind]);
    const found = largest.get(state === null ? key : `${key} ${state}`);
    return found ? index.inState(placeKey(placeWords(found.place)), found.state) : null;
  }

  return { placeOf };
}

/** The shares of a state's extent that a part covers, from south to north and from west to east. */
interface Part {
  lat: readonly [number, number];
  lng: readonly [number, number];
}

const WHOLE = [0, 1] as const;
const MIDDLE = [1 / 3, 2 / 3] as const;
/** A third at the end of one axis; more in a corner, where there are few cities. */
const [low, high] = [[0, 1 / 3] as const, [2 / 3, 1] as const];
const [lowCorner, highCorner] = [[0, 0.4] as const, [0.6, 1] as const];

const parts = new Map<string, Part>(
  Object.entries({
    north: { lat: high, lng: WHOLE },
    south: { lat: low, lng: WHOLE },
    east: { lat: WHOLE, lng: high },
    west: { lat: WHOLE, lng: low },
    northeast: { lat: highCorner, lng: highCorner },
    northwest: { lat: highCorner, lng: lowCorner },
    southeast: { lat: lowCorner, lng: highCorner },
    southwest: { lat: lowCorner, lng: lowCorner },
    central: { lat: MIDDLE, lng: MIDDLE },
    middle: { lat: MIDDLE, lng: MIDDLE },
    mid: { lat: MIDDLE, lng: MIDDLE },
  }),
);

const shortForms = new Map(
  Object.entries({
    n: 'north',
    s: 'south',
    e: 'east',
    w: 'west',
    so: 'south',
    no: 'north',
    ne: 'northeast',
    nw: 'northwest',
    se: 'southeast',
    sw: 'southwest',
    cen: 'central',
    cent: 'central',
  }),
);

/** The part that words like `eastern` or `north central` name, or null. */
function partOf(words: readonly string[]): Part | null {
  const plain = words.map((word) => {
    const stem = word.replace(/ern$/, '');
    return shortForms.get(stem) ?? stem;
  });
  const joined = plain.length > 1 && plain.at(-1) === 'central' ? plain.slice(0, -1).join('') : plain.join('');
  return parts.get(joined) ?? null;
}

/** Whether it is a word like `western`, which means a part of the state even if a village has that name. */
export const isPartOfStateOnly = (words: readonly string[]): boolean =>
  words.length === 1 && /^(north|south)?(east|west)?ern$/.test(words[0] ?? '');

export interface StateParts {
  /** The largest place in a part of a state: `Eastern` with WA is Spokane. */
  placeOf(words: readonly string[], state: string): Place | null;
}

/** Reads words such as `northern`, `SW` and `central` as a share of a state's extent. */
export function makeStateParts(index: PlaceIndex): StateParts {
  const extents = new Map<string, { south: number; north: number; west: number; east: number }>();

  function extentOf(state: string) {
    const known = extents.get(state);
    if (known) return known;
    const extent = { south: 90, north: -90, west: 180, east: -180 };
    for (const { lat, lng } of index.ofState(state)) {
      extent.south = Math.min(extent.south, lat);
      extent.north = Math.max(extent.north, lat);
      extent.west = Math.min(extent.west, lng);
      extent.east = Math.max(extent.east, lng);
    }
    extents.set(state, extent);
    return extent;
  }

  function placeOf(words: readonly string[], state: string): Place | null {
    const part = words.length > 0 && words.length <= 2 ? partOf(words) : null;
    if (!part) return null;
    const { south, north, west, east } = extentOf(state);
    const isIn = (value: number, from: number, to: number, [min, max]: readonly [number, number]) => {
      const share = (value - from) / (to - from);
      return share >= min && share <= max;
    };
    return index.largestIn(
      state,
      ({ lat, lng }) => isIn(lat, south, north, part.lat) && isIn(lng, west, east, part.lng),
    );
  }

  return { placeOf };
}
