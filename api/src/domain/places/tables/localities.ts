import { readDataFile } from '../../../base/data-folder.ts';
import type { Place } from '../place.ts';
import { placeKey, placeWords } from '../place-names.ts';
import { fieldsOf } from './place-tables.ts';
import type { ZipIndex } from './zip-index.ts';

export interface Localities {
  /** Post offices that are a town of their own. */
  towns: readonly Place[];
  /** The city at the point of a post office that is a part of it: `Winter Hill, MA` is Somerville. */
  partOfCity(key: string, state: string): Place | null;
}

/** Reads `name,state,zip,city` of the post offices that are named neither after a census place nor a ZIP's town. */
export function readLocalities(zips: ZipIndex): Localities {
  const towns: Place[] = [];
  const parts = new Map<string, { city: string; zip: string }>();
  for (const line of readDataFile('geo/us-localities.csv').split('\n').slice(1)) {
    const [name = '', state = '', zip = '', city = ''] = fieldsOf(line);
    if (city) parts.set(`${placeKey(placeWords(name))} ${state}`, { city, zip });
    else {
      const point = zips.exact(zip);
      if (point) towns.push({ ...point, name, state, zip: null, label: `${name}, ${state}` });
    }
  }
  return {
    towns,
    partOfCity(key, state) {
      const part = parts.get(`${key} ${state}`);
      const point = part && zips.exact(part.zip);
      return point ? { ...point, name: part.city, state, zip: null, label: `${part.city}, ${state}` } : null;
    },
  };
}
