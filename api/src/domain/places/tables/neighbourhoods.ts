import { readDataFile } from '../../../base/data-folder.ts';
import type { Place } from '../place.ts';
import { placeKey, placeWords } from '../place-names.ts';
import type { PlaceIndex } from './place-index.ts';

export interface Neighbourhoods {
  /** The city of the state that has a part so called; of several the first in the table. */
  inState(key: string, state: string): Place | null;
  /** The one city, or the far larger one, that has a part so called: `Barrio Logan` is San Diego, `Capitol Hill` none. */
  alone(key: string): Place | null;
  /** Whether the part is one of Los Angeles, as in `Highland Park LA`. */
  ofLosAngeles(key: string): Place | null;
  /** The cities of parts whose name begins so, when most of it is there, five letters at least. */
  startingWith(prefix: string): Place[];
}

/** Of two cities the one this many times as large is meant. */
const LARGER_RATIO = 4;

const MIN_SUGGESTED_LENGTH = 5;
/** A name is suggested when it is at most this many times as long as what is typed. */
const MAX_LENGTH_RATIO = 1.6;

interface Part {
  label: string;
  state: string;
  isCommon: boolean;
}

/** Reads `geo/neighbourhoods.txt` on first use: `City, ST: part, part`, `~` before a name that needs its state. */
export function makeNeighbourhoods(index: PlaceIndex): Neighbourhoods {
  let parts: Map<string, Part[]> | undefined;

  function read(): Map<string, Part[]> {
    const made = new Map<string, Part[]>();
    for (const line of readDataFile('geo/neighbourhoods.txt').split('\n')) {
      const [label = '', names] = line.split(': ');
      if (line.startsWith('#') || names === undefined) continue;
      for (const name of names.split(', ')) {
        const key = placeKey(placeWords(name));
        const part = { label, state: label.slice(-2), isCommon: name.startsWith('~') };
        const known = made.get(key);
        if (known?.at(-1)?.label === label) continue;
        if (known) known.push(part);
        else made.set(key, [part]);
      }
    }
    return made;
  }

  function partsCalled(key: string): readonly Part[] {
    parts ??= read();
    return parts.get(key) ?? [];
  }

  const cityOf = ({ label, state }: Part) => index.inState(placeKey(placeWords(label.slice(0, -4))), state);

  function alone(key: string): Place | null {
    const called = partsCalled(key);
    if (called.some(({ isCommon }) => isCommon)) return null;
    const [city, other] = called.flatMap((part) => cityOf(part) ?? []).sort((a, b) => b.population - a.population);
    return city && (!other || city.population > other.population * LARGER_RATIO) ? city : null;
  }

  return {
    alone,
    startingWith(prefix) {
      if (prefix.length < MIN_SUGGESTED_LENGTH) return [];
      parts ??= read();
      const begun = [...parts.keys()].filter(
        (key) => key.length <= prefix.length * MAX_LENGTH_RATIO && key.startsWith(prefix),
      );
      return begun.flatMap((key) => alone(key) ?? []);
    },
    inState(key, state) {
      const part = partsCalled(key).find((one) => one.state === state);
      return part ? cityOf(part) : null;
    },
    ofLosAngeles(key) {
      const part = partsCalled(key).find(({ label }) => label === 'Los Angeles, CA');
      return part ? cityOf(part) : null;
    },
  };
}
