import { hiddenThousands, splitOf } from './glued-words.ts';
import { plainLetters } from './plain-letters.ts';
import { type Topic, topicsOf } from './topics.ts';

/** What stands between a word and the one before it, from the closest to the farthest. */
export enum Gap {
  joined,
  blank,
  hyphen,
  /** `/ & + | ,` and the like stand between the items of a list; a slash joins two words more closely. */
  slash,
  colon,
  comma,
  /** Dashes with blanks, brackets. */
  dash,
  /** The end of a sentence or line. */
  stop,
}

/** A text as its words, and where the words of each topic stand. It is made once and read by all readers. */
export interface SellerText {
  /** In plain letters, as it is quoted. */
  plain: string;
  /** Lower-case letters and digits; `142,000`, `142k` and `142xxx` are one word each, apostrophes are left out. */
  words: readonly string[];
  /** The value of a word that is a number; NaN for any other. */
  values: readonly number[];
  gaps: readonly Gap[];
  starts: readonly number[];
  ends: readonly number[];
  /** The words of each topic, by their indexes. */
  found: Readonly<Record<Topic, readonly number[]>>;
}

const MAX_WORDS = 2_500;
/** Shorter words are no two. */
const MIN_GLUED = 6;
/** Longer ones are no words; each part of one would be read to its end. */
const MAX_GLUED = 200;

const [ZERO, NINE, LOWER_A, LOWER_Z] = [48, 57, 97, 122];
const [POINT, COMMA, APOSTROPHE, DOLLAR, BLANK] = [46, 44, 39, 36, 32];

const isDigit = (code: number) => code >= ZERO && code <= NINE;
const isLetter = (code: number) => code >= LOWER_A && code <= LOWER_Z;
const isWordPart = (code: number) => (code >= LOWER_A && code <= LOWER_Z) || (code >= ZERO && code <= NINE);

/** After these a point ends no sentence. */
const abbreviations = new Set(
  'ext int approx appx aprox trans mi orig no vs mt st dr cyl spd eng hwy cond odom odo auto man reg w e g i'.split(
    ' ',
  ),
);

/** The gap that the characters from `from` to before `to` make. */
function gapOf(text: string, from: number, to: number, previous: string): Gap {
  let gap = Gap.joined;
  let hasBlank = false;
  for (let at = from; at < to; at++) {
    const one = gapsByCharacter.get(text.charCodeAt(at));
    if (one === undefined) continue;
    if (one === Gap.blank) hasBlank = true;
    if (one > gap) gap = one;
  }
  const last = text.charCodeAt(to - 1);
  const first = text.charCodeAt(from);
  if (gap === Gap.hyphen && hasBlank) return to - from > 2 || last !== 45 ? Gap.dash : Gap.hyphen;
  if (gap === Gap.stop && first === POINT) {
    // `clean.title`, `o.b.o`
    if (to - from === 1) return Gap.slash;
    if (to - from === 2 && abbreviations.has(previous)) return Gap.blank;
    // `ODOMETER....98,500`
    if (!hasBlank && to - from > 2 && text.slice(from, to).replaceAll('.', '') === '') return Gap.comma;
  }
  return gap === Gap.joined ? Gap.blank : gap;
}

const gapsByCharacter = new Map<number, Gap>();
const setGaps = (gap: Gap, characters: string) => {
  for (const one of characters) gapsByCharacter.set(one.charCodeAt(0), gap);
};
setGaps(Gap.blank, '~ \t\u00a0"\'`“”');
setGaps(Gap.hyphen, '-_');
setGaps(Gap.slash, '/&+\\');
setGaps(Gap.colon, ':=#');
setGaps(Gap.comma, ',');
setGaps(Gap.dash, '()[]{}–—');
setGaps(Gap.stop, '.!?;\n\r*|•·●▪►✔✓→>');

/** The end of the number that begins at `start`: `142,000`, `142.000`, `98.5`, `142,xxx`. */
function numberEnd(text: string, start: number): number {
  let at = start;
  while (isDigit(text.charCodeAt(at))) at++;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code !== COMMA && code !== POINT) return at;
    if (!isDigit(text.charCodeAt(at + 1))) return at;
    let end = at + 1;
    while (isDigit(text.charCodeAt(end))) end++;
    if (end - at !== 4 && code === COMMA) return at;
    at = end;
  }
}

/** A point or comma before three digits separates thousands. */
function numberOf(digits: string): number {
  const bare = digits.length > 4 ? digits.replace(/[.,](?=\d{3}(?:[.,]|$))/g, '') : digits;
  return Number(bare);
}

/** `113,400k` has its thousands already. */
const thousands = (value: number) => (value < 1000 ? value * 1000 : value);

/** Units that sellers write without a blank: `142kmiles`, `98500mi`. */
const joinedUnits = new Map([
  ['miles', 1],
  ['mile', 1],
  ['mi', 1],
  ['mls', 1],
  ['millas', 1],
  ['km', 1],
  ['kms', 1],
  ['kmiles', 1000],
  ['kmi', 1000],
  ['ks', 1000],
  ['month', 1],
  ['months', 1],
  ['year', 1],
  ['years', 1],
  ['yr', 1],
  ['yrs', 1],
]);

class Builder {
  readonly words: string[] = [];
  readonly values: number[] = [];
  readonly gaps: Gap[] = [];
  readonly starts: number[] = [];
  readonly ends: number[] = [];
  readonly found: Record<Topic, number[]> = topicsOf.none();
  #end = 0;
  /** The gap after a word that was joined to the next one. */
  #split: Gap | null = null;
  #next: Gap | null = null;

  constructor(
    private readonly plain: string,
    private readonly lower: string,
  ) {}

  /** Where the word from `start` to before `end` ends, if a fact's name is joined to it. */
  #splitEnd(start: number, end: number): number {
    const length = end - start;
    if (length < MIN_GLUED || length > MAX_GLUED || !this.#mayBeGlued(start, end)) return end;
    const split = splitOf(this.plain, start, end);
    if (split === null) return end;
    this.#next = split.isPhrase ? Gap.blank : Gap.stop;
    return split.at;
  }

  /** Words are joined at a capital or a digit, which nearly no word has. */
  #mayBeGlued(start: number, end: number): boolean {
    const { plain } = this;
    for (let at = start + 1; at < end; at++) if (plain.charCodeAt(at) < LOWER_A) return true;
    return false;
  }

  add(word: string, value: number, start: number, end: number): void {
    const index = this.words.length;
    this.words.push(word);
    this.values.push(value);
    this.gaps.push(index === 0 ? Gap.stop : this.#gapBefore(start, index));
    this.#split = this.#next;
    this.#next = null;
    this.starts.push(start);
    this.ends.push(end);
    this.#end = end;
    const topics = topicsOf.word(word);
    if (topics) for (const topic of topics) this.found[topic].push(index);
  }

  #gapBefore(start: number, index: number): Gap {
    const end = this.#end;
    // Nearly all words follow a blank.
    if (start === end + 1 && this.lower.charCodeAt(end) === BLANK) return Gap.blank;
    if (start === end) return this.#split ?? Gap.joined;
    return gapOf(this.lower, end, start, this.words[index - 1] ?? '');
  }

  #isCapitalized(at: number): boolean {
    const first = this.plain.charCodeAt(at);
    return first >= 65 && first <= 90 && isLetter(this.plain.charCodeAt(at + 1));
  }

  /** Adds the number at `start` with what is joined to it. @returns where it ends */
  addNumber(start: number): number {
    const text = this.lower;
    const end = numberEnd(text, start);
    const digits = text.slice(start, end);
    const value = numberOf(digits);
    const hidden = hiddenThousands(text, end);
    if (hidden) {
      this.add(text.slice(start, hidden.end), value * 1000 + hidden.value, start, hidden.end);
      return hidden.end;
    }
    let after = end;
    while (isLetter(text.charCodeAt(after)) || (after > end && isDigit(text.charCodeAt(after)))) after++;
    if (after === end) {
      // `130,k miles`
      const isSplit = text.charCodeAt(end) === COMMA && text[end + 1] === 'k' && !isLetter(text.charCodeAt(end + 2));
      if (isSplit) this.add(text.slice(start, end + 2), value * 1000, start, end + 2);
      else this.add(digits, value, start, end);
      return isSplit ? end + 2 : end;
    }
    const suffix = text.slice(end, after);
    const scale = joinedUnits.get(suffix);
    if (scale === undefined && suffix !== 'k') {
      // `78,560VIN`, `30300Body`
      const isMany = (digits.includes(',') && digits.length > 4) || (digits.length > 3 && this.#isCapitalized(end));
      const isWhole = isMany && after - start <= MAX_GLUED;
      if (isWhole) this.#next = Gap.stop;
      const split = isWhole ? end : Math.max(end, this.#splitEnd(start, after));
      this.add(text.slice(start, split), split === end ? value : Number.NaN, start, split);
      return split;
    }
    if (suffix === 'k') this.add(text.slice(start, after), thousands(value), start, after);
    else {
      this.add(digits, scale === 1 ? value : thousands(value), start, end);
      this.add(suffix.replace(/^k(?=m.)/, '').replace(/^ks$/, 'k'), Number.NaN, end, after);
    }
    return after;
  }

  /** Adds the word at `start`, without its apostrophes. @returns where it ends */
  addWord(start: number): number {
    const text = this.lower;
    let at = start + 1;
    while (isWordPart(text.charCodeAt(at))) at++;
    if (text.charCodeAt(at) === APOSTROPHE && isLetter(text.charCodeAt(at + 1))) return this.#addWithApostrophes(start);
    const end = this.#splitEnd(start, at);
    this.add(text.slice(start, end), Number.NaN, start, end);
    return end;
  }

  #addWithApostrophes(start: number): number {
    const text = this.lower;
    let word = '';
    let at = start;
    for (let from = start; ; from = at + 1) {
      at = from;
      while (isWordPart(text.charCodeAt(at))) at++;
      word += text.slice(from, at);
      if (text.charCodeAt(at) !== APOSTROPHE || !isLetter(text.charCodeAt(at + 1))) break;
    }
    this.add(word, Number.NaN, start, at);
    return at;
  }
}

/** Splits a seller's text into words. Takes time in proportion to its length, of which 10,000 characters count. */
export function readWords(raw: string): SellerText {
  const plain = plainLetters(raw);
  const lower = plain.toLowerCase();
  const same = plain.length === lower.length ? plain : lower;
  const builder = new Builder(same, lower);
  for (let at = 0; at < lower.length && builder.words.length < MAX_WORDS; ) {
    const code = lower.charCodeAt(at);
    if (isDigit(code)) at = builder.addNumber(at);
    else if (isLetter(code)) at = builder.addWord(at);
    else at++;
  }
  const { words, values, gaps, starts, ends, found } = builder;
  return { plain: same, words, values, gaps, starts, ends, found };
}

/** The words from `from` to before `to` as they were written. */
export function quote(text: SellerText, from: number, to: number): string {
  return text.plain.slice(text.starts[from] ?? 0, text.ends[Math.min(to, text.words.length) - 1] ?? 0).slice(0, 100);
}

/** Whether a dollar sign stands before or after the number. */
export function isMoney(text: SellerText, index: number): boolean {
  const start = text.starts[index] ?? 0;
  const end = text.ends[index] ?? 0;
  const at = text.plain.charCodeAt(start - 1) === 32 ? start - 2 : start - 1;
  // The dollar of `157,849$6,500` belongs to what follows.
  const isAfter = text.plain.charCodeAt(end) === DOLLAR && !isDigit(text.plain.charCodeAt(end + 1));
  return isAfter || text.plain.charCodeAt(at) === DOLLAR;
}

/** A set of words that are separated by blanks. */
export const setOf = (list: string): ReadonlySet<string> => new Set(list.split(' '));

export const wordAt = (text: SellerText, index: number): string => text.words[index] ?? '';

/** What stands before the word at `index`; a stop before the first word and after the last one. */
export const gapBefore = (text: SellerText, index: number): Gap =>
  index > 0 && index < text.words.length ? (text.gaps[index] ?? Gap.stop) : Gap.stop;
