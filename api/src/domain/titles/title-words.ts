/** A word of a title: lower-case letters and digits only. */
export interface Word {
  text: string;
  /** What stood between the word before and this one, lower-case. */
  before: string;
  /** Written in capitals. */
  capital: boolean;
}

const MAX_TITLE = 500;
const LONGEST_TAG = 200;

/** A title fit to store and show: no markup, no control characters, single blanks, at most 500 characters. */
export function cleanTitle(raw: string): string {
  return raw
    .slice(0, MAX_TITLE * 4)
    .replace(new RegExp(`</?[a-z][^<>]{0,${LONGEST_TAG}}>`, 'gi'), ' ')
    .replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (_, name: string) => entities[name] ?? ' ')
    .replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, (char) => (char === '\u200d' ? '' : ' '))
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_TITLE)
    .replace(/[\ud800-\udbff]$/, '')
    .trim();
}

const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", nbsp: ' ' };

/** The words of a text, fancy letters and accents made plain; `2012honda` is two words. */
export function titleWords(text: string): Word[] {
  const plain = text
    .slice(0, MAX_TITLE)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replaceAll('×', 'x')
    .replace(/(?<=\p{L})['’](?=\p{L})/gu, '');
  const found: Word[] = [];
  let end = 0;
  for (const match of plain.matchAll(/[a-z0-9]+/gi)) {
    const before = plain.slice(end, match.index).toLowerCase();
    end = match.index + match[0].length;
    const [first, second] = unglued(match[0]);
    found.push(word(first, before));
    if (second !== undefined) found.push(word(second, ''));
  }
  return found;
}

function word(raw: string, before: string): Word {
  const text = raw.toLowerCase();
  return { text, before, capital: raw !== text && raw === raw.toUpperCase() };
}

function unglued(raw: string): [string, string?] {
  const [, year, name] = /^((?:19|20)\d\d)([a-z]{3,})$/i.exec(raw) ?? [];
  if (year && name) return [year, name];
  const [, before, after] = /^([a-z]{3,})((?:19|20)\d\d)$/i.exec(raw) ?? [];
  return before && after ? [before, after] : [raw];
}

/** One key for every way to write a name: `F-150`, `f 150` and `F150` are `f150`. */
export function nameKey(text: string): string {
  return titleWords(text)
    .map((part) => part.text)
    .join('');
}

/** Words joined from `start` up to `end`, exclusive. */
export function joined(words: readonly Word[], start: number, end: number): string {
  let text = '';
  for (let index = start; index < end; index++) text += words[index]?.text ?? '';
  return text;
}

export interface Span {
  start: number;
  /** Exclusive. */
  end: number;
}

/** The longest name that starts at a word, of names kept by `nameKey`. */
export function longestAt<T>(
  words: readonly Word[],
  start: number,
  find: (key: string) => T | undefined,
  maxWords = 5,
): (Span & { found: T }) | null {
  let key = '';
  let best: (Span & { found: T }) | null = null;
  for (let end = start + 1; end <= Math.min(words.length, start + maxWords); end++) {
    const next = words[end - 1];
    if (!next) break;
    // Two numbers side by side are never one name, and a sentence's end is none either.
    if (end > start + 1) {
      if (/^\d+$/.test(next.text) && /^\d+$/.test(words[end - 2]?.text ?? '')) break;
      if (/[,;·|()$]/.test(next.before)) break;
    }
    key += next.text;
    const found = find(key);
    if (found !== undefined) best = { start, end, found };
  }
  return best;
}

/** The longest name at each place, also those that begin inside another. */
export function namesAtEach<T>(words: readonly Word[], find: (key: string) => T | undefined): (Span & { found: T })[] {
  return words.flatMap((_, start) => longestAt(words, start, find) ?? []);
}

/** Every name in the words, longest first at each place, none inside another. */
export function namesIn<T>(words: readonly Word[], find: (key: string) => T | undefined): (Span & { found: T })[] {
  const all: (Span & { found: T })[] = [];
  for (let start = 0; start < words.length; ) {
    const name = longestAt(words, start, find);
    if (name) all.push(name);
    start = name ? name.end : start + 1;
  }
  return all;
}
