import { readDataFile } from '../../../base/data-folder.ts';
import type { Place } from '../place.ts';
import { placeKey, placeWords } from '../place-names.ts';
import type { PlaceIndex } from './place-index.ts';
import { fieldsOf } from './place-tables.ts';

export interface Counties {
  /** The largest place of the county that these words name; without a state of the most populous county so called. */
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
    // The most populous comes first, so the first of a name is the one meant without a state.
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
