import { isNear, type Place, type Point } from '../place.ts';
import { nameKey, placeWords } from '../place-names.ts';
import { lowerBound, placeOf, readTable } from './place-tables.ts';
import type { Localities, ZipIndex } from './zip-index.ts';

/** A name of a place, which can be compared before the place is read. */
export interface NamedPlace {
  key: string;
  id: number;
  population: number;
}

export interface PlaceIndex {
  /** The place with this id. */
  place(id: number): Place;
  /**
   * The place of the state; of several the one with the same words (`Lake View`, not Lakeview), else the most populous.
   */
  inState(key: string, state: string, words?: readonly string[]): Place | null;
  /** The place of the name that is near the point (see `isNear`), else the most populous. */
  called(key: string, near?: Point): Place | null;
  /** Names with this first letter in the state; if it is null, of known places in all states. */
  named(state: string | null, letter: string): readonly NamedPlace[];
  /** At most 5,000 names that begin with the prefix. */
  startingWith(prefix: string): NamedPlace[];
  /** The most populous place of the state for which `takes` returns true. */
  largestIn(state: string, takes: (point: Point) => boolean): Place | null;
  ofState(state: string): Place[];
}

/** Without a state, misspelt and abbreviated names mean places at least this large. */
const KNOWN_POPULATION = 20_000;
/** In place of a state in `named`: places of all states and sizes. */
export const EVERY_STATE = '*';
const MAX_NAMES = 5000;

/** Further names of a place: `Ventura` of `San Buenaventura (Ventura) city`. */
function otherNames(name: string, censusName: string): string[] {
  const names: string[] = [];
  const [, formal, common] = censusName.includes('(') ? (/^([^(]+?) \(([^)]+)\)/.exec(censusName) ?? []) : [];
  if (formal && common && common !== 'balance') names.push(...[formal, common].filter((other) => other !== name));
  if (name.includes(',')) names.push(name.slice(0, name.indexOf(',')));
  if (censusName.endsWith(' city') && censusName.startsWith(`${name} City`)) names.push(`${name} City`);
  const joined = /[-/]/.test(censusName) ? /^([^\s/-]+)[-/](\S+)/.exec(censusName) : null;
  if (joined?.[1] === name && joined[2]) names.push(`${name} ${joined[2]}`);
  return names;
}

/** A town in the table of ZIPs, with the row of its largest ZIP and the population of all its ZIPs. */
interface PostalTown {
  key: string;
  name: string;
  state: string;
  zipRow: number;
  largest: number;
  population: number;
}

function postalTowns({ table, isAreaOnly }: ZipIndex): Iterable<PostalTown> {
  const towns = new Map<string, PostalTown>();
  let town: PostalTown | undefined;
  for (let row = 0; row < table.length; row++) {
    const name = table.field(row, 1);
    const state = table.field(row, 2);
    const population = Number(table.field(row, 5));
    if (town?.name !== name || town.state !== state) {
      const label = `${name}, ${state}`;
      town = towns.get(label);
      if (!town) {
        town = { key: nameKey(name), name, state, zipRow: row, largest: population, population: 0 };
        towns.set(label, town);
      }
    }
    town.population += population;
    const isMoreExact = town.largest === 0 && population === 0 && row > town.zipRow && isAreaOnly(town.zipRow);
    if (population > town.largest || (isMoreExact && !isAreaOnly(row))) {
      town.largest = population;
      town.zipRow = row;
    }
  }
  return towns.values();
}

/** Indexes all names of census places, postal towns and post offices. What suggestions need is built on first use. */
export function makePlaceIndex(placesCsv: string, zips: ZipIndex, localities: Localities): PlaceIndex {
  const table = readTable(placesCsv);
  const towns: Place[] = [];
  const states: string[] = [];
  const populations: number[] = [];
  const idsByKey = new Map<string, number | number[]>();

  function add(key: string, id: number): void {
    const known = idsByKey.get(key);
    if (known === undefined) idsByKey.set(key, id);
    else if (typeof known === 'number') idsByKey.set(key, [known, id]);
    else known.push(id);
  }
  function idsOf(key: string): readonly number[] {
    const known = idsByKey.get(key);
    return known === undefined ? [] : typeof known === 'number' ? [known] : known;
  }
  const idInState = (key: string, state: string) => idsOf(key).find((id) => states[id] === state);
  /** Adds a town unless its state already has a place of that name. */
  function addTown(key: string, state: string, read: () => Place): void {
    if (idInState(key, state) !== undefined) return;
    const town = read();
    add(key, states.length);
    states.push(town.state);
    populations.push(town.population);
    towns.push(town);
  }

  for (let row = 0; row < table.length; row++) {
    const name = table.field(row, 0);
    states.push(table.field(row, 1));
    populations.push(Number(table.field(row, 4)));
    add(nameKey(name), row);
    for (const other of otherNames(name, table.field(row, 5))) add(nameKey(other), row);
  }
  for (const { key, state, zipRow, population } of postalTowns(zips))
    addTown(key, state, () => ({ ...zips.place(zipRow), zip: null, population }));
  for (const town of localities.towns) addTown(nameKey(town.name), town.state, () => town);
  const byPopulation = (a: number, b: number) => (populations[b] ?? 0) - (populations[a] ?? 0);
  for (const ids of idsByKey.values()) if (typeof ids !== 'number') ids.sort(byPopulation);

  const place = (id: number): Place => {
    const town = towns[id - table.length];
    if (town) return town;
    const cells = table.fields(id);
    return placeOf(cells, null);
  };

  let sortedKeys: readonly string[] | undefined;
  let buckets: Map<string, NamedPlace[]> | undefined;
  function bucketsByLetter(): Map<string, NamedPlace[]> {
    const made = new Map<string, NamedPlace[]>();
    const put = (bucket: string, named: NamedPlace) => {
      const list = made.get(bucket);
      if (list) list.push(named);
      else made.set(bucket, [named]);
    };
    for (const key of idsByKey.keys()) {
      for (const id of idsOf(key)) {
        const named = { key, id, population: populations[id] ?? 0 };
        put(`${states[id]} ${key.charAt(0)}`, named);
        put(`${EVERY_STATE} ${key.charAt(0)}`, named);
        if (named.population >= KNOWN_POPULATION) put(key.charAt(0), named);
      }
    }
    return made;
  }

  return {
    place,
    inState(key, state, words) {
      const [largest, ...others] = idsOf(key).filter((id) => states[id] === state);
      if (largest === undefined) return null;
      if (others.length === 0 || !words) return place(largest);
      const spelled = words.join(' ');
      const same = [largest, ...others].find((id) => placeWords(place(id).name).join(' ') === spelled);
      return place(same ?? largest);
    },
    called(key, near) {
      const ids = idsOf(key);
      if (near && ids.length > 1) {
        const close = ids.map(place).find((one) => isNear(one, near));
        if (close) return close;
      }
      return ids[0] === undefined ? null : place(ids[0]);
    },
    named(state, letter) {
      buckets ??= bucketsByLetter();
      return buckets.get(state === null ? letter : `${state} ${letter}`) ?? [];
    },
    startingWith(prefix) {
      sortedKeys ??= [...idsByKey.keys()].sort();
      const found: NamedPlace[] = [];
      for (let at = lowerBound(sortedKeys, prefix); found.length < MAX_NAMES; at++) {
        const key = sortedKeys[at];
        if (key === undefined || !key.startsWith(prefix)) break;
        for (const id of idsOf(key)) found.push({ key, id, population: populations[id] ?? 0 });
      }
      return found;
    },
    largestIn(state, takes) {
      for (let row = 0; row < table.length; row++) {
        if (states[row] !== state) continue;
        const found = place(row);
        if (takes(found)) return found;
      }
      return null;
    },
    ofState: (state) => states.flatMap((its, id) => (its === state ? [place(id)] : [])),
  };
}
