import { fullStateNames, placeWords, splitState, stateOf } from './place-names.ts';

const wordsOf = (list: string) => new Set(list.split(' '));

const noise = wordsOf(
  'usa us america area metro metropolitan greater downtown near nearby region vicinity outside around surrounding areas ' +
    'zip zipcode of the in at located location suburbs suburb local pickup only',
);
/** Words of directions to a place: `10 miles north of`, `just outside of`. */
const directionWords = wordsOf(
  'mi mile miles min mins minute minutes hr hrs hour hours drive north south east west northeast northwest southeast ' +
    'southwest n s e w ne nw se sw of from near outside around by just about approx approximately close to located in at ' +
    'the a an side suburb suburbs vicinity minutes half city town i am im we are is my car located nearby',
);
const directionEnds = wordsOf('of from near outside around by to in at nearby');
const MAX_STATE_WORDS = 3;

/** Removes directions, as in `10 miles north of Tulsa`. */
function withoutDirections(words: readonly string[]): readonly string[] {
  let start = 0;
  for (let index = 0; index < words.length - 1; index++) {
    const word = words[index] ?? '';
    if (!directionWords.has(word) && !/^\d+$/.test(word)) break;
    if (directionEnds.has(word)) start = index + 1;
  }
  return words.slice(start);
}

/** Moves a leading state to the end; null if there is none. */
function stateMovedToEnd(words: readonly string[]): string[] | null {
  if (splitState(words).length > 0) return null;
  for (let count = MAX_STATE_WORDS; count >= 1; count--) {
    const leading = words.slice(0, count);
    const isState = splitState(leading).some(({ name }) => name.length === 0);
    if (isState && words.length > count) return [...words.slice(count), ...leading];
  }
  return null;
}

/** Writes a leading state in full, as in `Okla City` and `Va Beach`; null if there is none. */
function stateInFull(words: readonly string[]): string[] | null {
  const [first = '', ...rest] = words;
  const state = rest.length > 0 ? stateOf([first]) : null;
  const full = state === null ? null : placeWords(fullStateNames.get(state) ?? '');
  return full && full.join('') !== first ? [...full, ...rest] : null;
}

/** Keeps the first of two states, as in `Kansas City, MO/KS`; null if there are not two. */
function firstOfTwoStates(words: readonly string[]): string[] | null {
  const codes = words.slice(-2);
  const areCodes = words.length > 2 && codes.every((word) => word.length === 2 && stateOf([word]) !== null);
  return areCodes ? words.slice(0, -1) : null;
}

const isState = (words: readonly string[]) => splitState(words).some(({ name }) => name.length === 0);

/**
 * The parts of a text such as `Norfolk/Virginia Beach, VA`, each with the state. The last part comes first, as it is nearest
 * to the state in `12 Main St, Boise, ID`; twin cities keep their order.
 */
function parts(text: string): string[][] {
  const pieces = text.split(/[,;|()>:•·]|\s[-–—]\s/).flatMap((part) => {
    const twins = part.split(/[/&+–—-]|\b(?:and|near|outside of|close to)\b|\bor\b(?!\s*$)/i).map(placeWords);
    return [twins.filter((words) => words.length > 0)];
  });
  const flat = pieces.reverse().flat();
  const state = flat.flatMap((words) =>
    splitState(words)
      .slice(0, 1)
      .map(({ name }) => words.slice(name.length)),
  )[0];
  const named = flat.filter((words) => !isState(words));
  if (!state) return named;
  return named.map((words) => (splitState(words).length > 0 ? words : [...words, ...state]));
}

export interface PlaceReadings {
  /** All words, without country and ZIP. */
  literal: string[];
  /** The words without `area`, `near`, `10 miles north of` and the like. */
  withoutNoise: string[];
  /** Variants with a leading state at the end or in full, or with the first of two states. */
  variants: string[][];
  /** The parts of a list or of twin cities, each with the stated state. */
  parts: string[][];
}

/** The ways to read a typed place, which are tried in turn. */
export function placeReadings(text: string): PlaceReadings {
  const plain = text
    .replace(/<[^<>]*>/g, ' ')
    .replace(/&(nbsp|amp|#\d+);/gi, ' ')
    .replace(/\b(somewhere )?(in )?between\b|united states( of america)?|\bu\.?s\.?a\b\.?|\bzip ?code\b/gi, ' ')
    .replace(/\b\d+\s*(mi|miles?|km|min(ute)?s?|hours?|hrs?)\b/gi, ' ')
    .replace(/(?<!\d)\d{5}(-?\d{4})?(?!\d)/g, ' ');
  const literal = placeWords(plain);
  const near = withoutDirections(literal).filter((word) => !/^\d+$/.test(word));
  // At the end `in` is Indiana.
  const withoutNoise = near.filter((word, index) => !noise.has(word) || (word === 'in' && index === near.length - 1));
  return {
    literal,
    withoutNoise,
    variants: [firstOfTwoStates(withoutNoise), stateInFull(withoutNoise), stateMovedToEnd(withoutNoise)].filter(
      (words) => words !== null,
    ),
    parts: parts(plain.replace(/\d+/g, ' ')),
  };
}
