import { fullStateNames, placeWords, splitState, stateOf } from './place-names.ts';

const wordsOf = (list: string) => new Set(list.split(' '));

const noise = wordsOf(
  'usa us america area metro metropolitan greater downtown near nearby region vicinity outside around surrounding areas ' +
    'zip zipcode of the in at located location suburbs suburb local pickup only',
);
/** What may stand before `of`, `from` or `near` and a place: `10 miles north of`, `just outside of`. */
const approach = wordsOf(
  'mi mile miles min mins minute minutes hr hrs hour hours drive north south east west northeast northwest southeast ' +
    'southwest n s e w ne nw se sw of from near outside around by just about approx approximately close to located in at ' +
    'the a an side suburb suburbs vicinity minutes half city town i am im we are is my car located nearby',
);
const arrivals = wordsOf('of from near outside around by to in at nearby');
const MAX_STATE_WORDS = 3;

/** `10 miles north of Tulsa` without its way there. */
function withoutApproach(words: readonly string[]): readonly string[] {
  let start = 0;
  for (let index = 0; index < words.length - 1; index++) {
    const word = words[index] ?? '';
    if (!approach.has(word) && !/^\d+$/.test(word)) break;
    if (arrivals.has(word)) start = index + 1;
  }
  return words.slice(start);
}

function stateFirst(words: readonly string[]): string[] | null {
  if (splitState(words).length > 0) return null;
  for (let count = MAX_STATE_WORDS; count >= 1; count--) {
    const leading = words.slice(0, count);
    const isState = splitState(leading).some(({ name }) => name.length === 0);
    if (isState && words.length > count) return [...words.slice(count), ...leading];
  }
  return null;
}

/** `Okla City` and `Va Beach` with its state's name in full. */
function stateExpanded(words: readonly string[]): string[] | null {
  const [first = '', ...rest] = words;
  const state = rest.length > 0 ? stateOf([first]) : null;
  const full = state === null ? null : placeWords(fullStateNames.get(state) ?? '');
  return full && full.join('') !== first ? [...full, ...rest] : null;
}

/** `Kansas City, MO/KS` in the first of its states. */
function firstOfTwoStates(words: readonly string[]): string[] | null {
  const codes = words.slice(-2);
  const areCodes = words.length > 2 && codes.every((word) => word.length === 2 && stateOf([word]) !== null);
  return areCodes ? words.slice(0, -1) : null;
}

const isState = (words: readonly string[]) => splitState(words).some(({ name }) => name.length === 0);

/**
 * Each part of `Norfolk/Virginia Beach, VA` with the state at the end. Of `12 Main St, Boise, ID` the part next to the
 * state comes first, of twin cities the first.
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
  /** As it stands, without country and ZIP. */
  literal: string[];
  /** Without words like `area`, `near`, `10 miles north of`. */
  quiet: string[];
  /** With a state that leads brought to the end or written in full, or with one of two states. */
  turned: string[][];
  /** The parts of a list or of twin towns, each in the state that is named. */
  parts: string[][];
}

/** The ways to read what somebody typed as a place. */
export function placeReadings(text: string): PlaceReadings {
  const plain = text
    .replace(/<[^<>]*>/g, ' ')
    .replace(/&(nbsp|amp|#\d+);/gi, ' ')
    .replace(/\b(somewhere )?(in )?between\b|united states( of america)?|\bu\.?s\.?a\b\.?|\bzip ?code\b/gi, ' ')
    .replace(/\b\d+\s*(mi|miles?|km|min(ute)?s?|hours?|hrs?)\b/gi, ' ')
    .replace(/(?<!\d)\d{5}(-?\d{4})?(?!\d)/g, ' ');
  const literal = placeWords(plain);
  const near = withoutApproach(literal).filter((word) => !/^\d+$/.test(word));
  // At the end `in` is Indiana.
  const quiet = near.filter((word, index) => !noise.has(word) || (word === 'in' && index === near.length - 1));
  return {
    literal,
    quiet,
    turned: [firstOfTwoStates(quiet), stateExpanded(quiet), stateFirst(quiet)].filter((words) => words !== null),
    parts: parts(plain.replace(/\d+/g, ' ')),
  };
}
