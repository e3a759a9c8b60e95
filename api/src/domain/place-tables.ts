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

/** The ZIPs in ascending order. */
export function readZips(csv: string): Place[] {
  return rows(csv)
    .map(([zip = '', name = '', state = '', lat, lng, population]) => ({
      name,
      state,
      zip,
      lat: Number(lat),
      lng: Number(lng),
      population: Number(population),
      label: `${name}, ${state}`,
    }))
    .sort((a, b) => (a.zip < b.zip ? -1 : 1));
}

/** The names of a place beside its own: `Ventura` of `San Buenaventura (Ventura) city`. */
function otherNames(name: string, censusName: string): string[] {
  const names: string[] = [];
  const [, formal, common] = /^([^(]+?) \(([^)]+)\)/.exec(name) ?? [];
  if (formal && common) names.push(formal, common);
  if (name.includes(',')) names.push(name.slice(0, name.indexOf(',')));
  if (/ city$/.test(censusName) && censusName.startsWith(`${name} City`)) names.push(`${name} City`);
  const joined = /^(\S+)[-/](\S+)/.exec(censusName);
  if (joined?.[1] === name && joined[2]) names.push(`${name} ${joined[2]}`);
  return names;
}

/** [key, place] of every name: census places first, then what only the mail calls so. */
export function readPlaces(csv: string, zips: readonly Place[]): [string, Place][] {
  const found: [string, Place][] = [];
  const known = new Set<string>();
  const add = (name: string, place: Place) => {
    const key = placeKey(placeWords(name));
    found.push([key, place]);
    known.add(`${key},${place.state}`);
  };
  for (const [name = '', state = '', lat, lng, population, censusName = ''] of rows(csv)) {
    const place: Place = {
      name,
      state,
      zip: null,
      lat: Number(lat),
      lng: Number(lng),
      population: Number(population),
      label: `${name}, ${state}`,
    };
    add(name, place);
    for (const other of otherNames(name, censusName)) add(other, place);
  }
  const towns = new Map<string, { key: string; zips: Place[] }>();
  for (const zip of zips) {
    const town = towns.get(zip.label);
    if (town) town.zips.push(zip);
    else towns.set(zip.label, { key: placeKey(placeWords(zip.name)), zips: [zip] });
  }
  for (const { key, zips: parts } of towns.values()) {
    const largest = parts.reduce((best, part) => (part.population > best.population ? part : best));
    if (known.has(`${key},${largest.state}`)) continue;
    const population = parts.reduce((sum, part) => sum + part.population, 0);
    found.push([key, { ...largest, zip: null, population }]);
  }
  return found;
}
