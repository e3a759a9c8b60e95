import type { Place } from './place.ts';
import { placeKey, placeWords } from './place-names.ts';

/** Fields of a line; only one in quotes may hold a comma. */
function fields(line: string): string[] {
  if (!line.includes('"')) return line.split(',');
  return [...line.matchAll(/(?:^|,)(?:"([^"]*)"|([^,]*))/g)].map((match) => match[1] ?? match[2] ?? '');
}

function rows(csv: string): string[][] {
  const lines = csv.split('\n').slice(1);
  return lines.filter((line) => line !== '').map(fields);
}

function placeOf(name: string, state: string, zip: string | null, ...numbers: (string | undefined)[]): Place {
  const [lat, lng, population] = numbers;
  const label = `${name}, ${state}`;
  return { name, state, zip, lat: Number(lat), lng: Number(lng), population: Number(population), label };
}

/** The ZIPs, which the table has in ascending order. */
export function readZips(csv: string): (Place & { zip: string })[] {
  return rows(csv).map(([zip = '', name = '', state = '', ...numbers]) => ({
    ...placeOf(name, state, zip, ...numbers),
    zip,
  }));
}

/** The names of a place beside its own: `Ventura` of `San Buenaventura (Ventura) city`. */
function otherNames(name: string, censusName: string): string[] {
  const names: string[] = [];
  const [, formal, common] = name.includes('(') ? (/^([^(]+?) \(([^)]+)\)/.exec(name) ?? []) : [];
  if (formal && common) names.push(formal, common);
  if (name.includes(',')) names.push(name.slice(0, name.indexOf(',')));
  if (censusName.endsWith(' city') && censusName.startsWith(`${name} City`)) names.push(`${name} City`);
  const joined = /[-/]/.test(censusName) ? /^([^\s/-]+)[-/](\S+)/.exec(censusName) : null;
  if (joined?.[1] === name && joined[2]) names.push(`${name} ${joined[2]}`);
  return names;
}

/** Places by the key of each of their names, the most populous first: the census's, then what only the mail calls so. */
export function readPlaces(csv: string, zips: readonly Place[]): Map<string, Place[]> {
  const byKey = new Map<string, Place[]>();
  const add = (key: string, place: Place) => {
    const known = byKey.get(key);
    if (known) known.push(place);
    else byKey.set(key, [place]);
  };
  for (const [name = '', state = '', lat, lng, population, censusName = ''] of rows(csv)) {
    const place = placeOf(name, state, null, lat, lng, population);
    add(placeKey(placeWords(name)), place);
    for (const other of otherNames(name, censusName)) add(placeKey(placeWords(other)), place);
  }
  for (const [key, town] of mailTowns(zips)) {
    if (!byKey.get(key)?.some(({ state }) => state === town.state)) add(key, town);
  }
  for (const places of byKey.values()) if (places.length > 1) places.sort((a, b) => b.population - a.population);
  return byKey;
}

/** Towns of the mail with their key: the point of the largest ZIP, the population of all. */
function mailTowns(zips: readonly Place[]): [string, Place][] {
  const towns = new Map<string, { largest: Place; population: number }>();
  for (const zip of zips) {
    const town = towns.get(zip.label);
    if (!town) towns.set(zip.label, { largest: zip, population: zip.population });
    else {
      town.population += zip.population;
      if (zip.population > town.largest.population) town.largest = zip;
    }
  }
  return [...towns.values()].map(({ largest, population }) => [
    placeKey(placeWords(largest.name)),
    { ...largest, zip: null, population },
  ]);
}
