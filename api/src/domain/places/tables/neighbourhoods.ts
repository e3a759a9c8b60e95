import { readDataFile } from '../../../base/data-folder.ts';
import type { Place } from '../place.ts';
import { placeKey, placeWords } from '../place-names.ts';
import type { PlaceIndex } from './place-index.ts';

export interface Neighbourhoods {
  /** The city of the state that has a part of this name; of several the first in the table. */
  inState(key: string, state: string): Place | null;
  /**
   * The only or by far largest city with a part of this name: San Diego for `Barrio Logan`, none for `Capitol Hill`.
   */
  alone(key: string): Place | null;
  /** Los Angeles, if it has a part of this name, as in `Highland Park LA`. */
  ofLosAngeles(key: string): Place | null;
  /** The cities of parts whose name begins with the prefix, if it is most of the name and at least five letters. */
  startingWith(prefix: string): Place[];
}

/** Of two cities the larger one is meant only if it is this many times as large. */
const LARGER_RATIO = 4;

const MIN_SUGGESTED_LENGTH = 5;
/** The largest ratio of the length of a suggested name to that of the prefix. */
const MAX_COMPLETION_RATIO = 1.6;

interface Part {
  label: string;
  state: string;
  isCommon: boolean;
}

/** Reads `geo/neighbourhoods.txt` on first use: `City, ST: part, part`, with `~` before a name that needs its state. */
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
        (key) => key.length <= prefix.length * MAX_COMPLETION_RATIO && key.startsWith(prefix),
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
