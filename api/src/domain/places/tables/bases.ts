import type { Place } from '../place.ts';
import { placeKey } from '../place-names.ts';

const kinds = new Set(
  'afb sfb sfs nas ns nb nsb nsa mcas mcb mcrd arb ars angb aaf jb base army naval navy airfield military'.split(' '),
);
/** Words that belong to a kind written out: `Air Force Base`, `Naval Air Station`. */
const kindWords = new Set(
  'air force space station marine marines corps post national guard reserve joint submarine sub us the'.split(' '),
);

export interface Bases {
  add(words: readonly string[], place: Place): void;
  /** The base, whatever kind of one it is called: `Peterson SFB` was an AFB. @param state null where none is stated */
  called(words: readonly string[], state: string | null): Place | null;
}

const properName = (words: readonly string[]) =>
  placeKey(words.filter((word) => !kinds.has(word) && !kindWords.has(word)));

/** Military bases by their proper name, for texts that say it is one. */
export function makeBases(): Bases {
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
