import { placeWords, splitState } from './place-names.ts';

const noise = new Set(
  'usa us area metro metropolitan greater downtown near region vicinity outside around zip city town village of'.split(
    ' ',
  ),
);
const LONGEST_STATE_WORDS = 2;

function stateFirst(words: readonly string[]): string[] | null {
  for (let count = LONGEST_STATE_WORDS; count >= 1; count--) {
    const leading = words.slice(0, count);
    const isState = splitState(leading).some(({ name }) => name.length === 0);
    if (isState && words.length > count) return [...words.slice(count), ...leading];
  }
  return null;
}

/** Each part of `Norfolk/Virginia Beach, VA` in the state at the end; without one, `Paris, France` is left alone. */
function parts(text: string): string[][] {
  const pieces = text
    .split(/[/,&-]|\band\b/i)
    .map(placeWords)
    .filter((words) => words.length > 0);
  const last = pieces.at(-1) ?? [];
  const state = splitState(last)[0];
  if (!state) return text.includes(',') ? [] : pieces;
  const tail = last.slice(state.name.length);
  return pieces.map((words) => (words === last ? words : [...words, ...tail]));
}

/** The ways to read what somebody typed as a place, the most literal first. ZIPs are left out. */
export function placeReadings(text: string): string[][] {
  const plain = text.replace(/united states( of america)?/gi, ' ').replace(/\d+/g, ' ');
  const words = placeWords(plain);
  const quiet = words.filter((word) => !noise.has(word));
  const rotated = stateFirst(quiet);
  return [words, quiet, ...(rotated ? [rotated] : []), ...parts(plain)].filter((reading) => reading.length > 0);
}
