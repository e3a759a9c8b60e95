import { Gap, type SellerText, setOf, wordAt } from './seller-text.ts';

const denials = setOf(
  'no not non never without lost isnt wasnt arent aint doesnt dont didnt hasnt havent nor neither zero cant sin ni nunca nothing none',
);
/** What may stand between a denial and what it denies. */
const denialFiller = setOf(
  'a an any the been be was were is it its ever had have has having prior previous previously history brand brands that indicate indicates of or nor and sell sells sold sale buy titles title kind un una en',
);
/** What is denied together with what follows, if a word joins them: `no accidents or salvage`. */
const incidents = setOf(
  'accident accidents wreck wrecks wrecked crash crashed damage damages damaged flood flooded lemon fire frame totaled totalled hail smoke smoked problems issues',
);
const joins = setOf('or nor and');
const MAX_BACK = 7;

/**
 * Whether what begins at `index` is denied: `no salvage`, `never been rebuilt`, `not salvage or rebuilt`.
 * @param alike further words that one denial may cover together with it
 */
export function isDenied(text: SellerText, index: number, alike: ReadonlySet<string> = new Set()): boolean {
  const { words, gaps } = text;
  for (let at = index - 1; at >= Math.max(0, index - MAX_BACK); at--) {
    const gap = gaps[at + 1] ?? Gap.stop;
    const word = words[at] ?? '';
    if (gap >= Gap.dash) return false;
    if (denials.has(word)) return gap < Gap.comma;
    if (alike.has(word)) continue;
    if (gap === Gap.comma) return false;
    if (denialFiller.has(word)) continue;
    const isJoined = joins.has(words[at + 1] ?? '') || gap === Gap.slash;
    if (!(incidents.has(word) && isJoined)) return false;
  }
  return false;
}

const directFiller = setOf('a an the have any is its their this been');

/** Whether a denial stands right before: `no clean title`, `not a 4x4`, `doesn't have a hybrid`. */
export function isDirectlyDenied({ words, gaps }: SellerText, index: number): boolean {
  let at = index - 1;
  for (; at >= index - 3; at--) {
    if ((gaps[at + 1] ?? Gap.stop) >= Gap.comma) return false;
    const word = words[at] ?? '';
    if (denials.has(word)) return true;
    if (!directFiller.has(word)) return false;
  }
  return false;
}

const answers = setOf('no none never negative nope');

/** Whether a denial answers what ends before `end`: `salvage history: none`, `rebuilt? no`. */
export function isAnsweredNo({ words, gaps, starts, ends, plain }: SellerText, end: number): boolean {
  const gap = gaps[end] ?? Gap.blank;
  const word = words[end] ?? '';
  const isAsked = gap === Gap.colon || gap === Gap.dash || plain.slice(ends[end - 1], starts[end]).includes('?');
  if (!isAsked) return false;
  return answers.has(word) && (gaps[end + 1] ?? Gap.stop) >= Gap.comma;
}

const wishes = setOf(
  'possibly bought buy buying buys purchase purchasing specialize specializing specialise want wants wanting wish prefer prefers preferably',
);
const wishesFor = setOf('looking trade trades trading swap interested cambio search searching');
const traded = setOf('local recent fresh dealer dealership car new owner');
const MAX_WISH = 7;

/** Whether a sentence speaks of a car that somebody buys or wants: `will trade for a 4x4`, `we buy salvage cars`. */
export function isWished({ words, gaps }: SellerText, index: number): boolean {
  let isPast = false;
  for (let at = index; at > Math.max(0, index - MAX_WISH); at--) {
    if ((gaps[at] ?? Gap.stop) === Gap.stop) return false;
    const word = words[at - 1] ?? '';
    const next = words[at] ?? '';
    if ((gaps[at + 1] ?? Gap.stop) >= Gap.comma && at < index) isPast = true;
    if (wishes.has(word)) return true;
    // `New car dealer trade-in`, `Trade-ins are welcome, rebuilt title`
    if (word === 'trade' && next === 'in' && (traded.has(words[at - 2] ?? '') || isPast)) continue;
    if (wishesFor.has(word) && (next === 'for' || next === 'in' || next === 'por' || next === 'a' || next === 'any'))
      return true;
  }
  return false;
}

const demands = setOf('qualify qualifies qualifying eligible');
const seen = setOf('seen sold driven gone moved');

/** What a dealer asks of cars: `trade-ins must have a clean title`, `cars that qualify`; not `must be seen`. */
export function isDemand(text: SellerText, index: number): boolean {
  const word = wordAt(text, index);
  if (word !== 'must') return demands.has(word);
  const next = wordAt(text, index + 1);
  return next === 'have' || (next === 'be' && !seen.has(wordAt(text, index + 2)));
}

const offered = setOf('available option optional vs versus than like instead equivalent also many more other');

/** Whether the words right before speak of other cars: `also available in AWD`, `better than a hybrid`. */
export function isCompared({ words, gaps }: SellerText, index: number): boolean {
  for (let at = index; at > Math.max(0, index - 3); at--) {
    if ((gaps[at] ?? Gap.stop) >= Gap.comma) return false;
    if (offered.has(words[at - 1] ?? '')) return true;
  }
  return false;
}
