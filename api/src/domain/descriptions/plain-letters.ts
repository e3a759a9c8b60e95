import { memoize } from '../../base/memoize.ts';

/** More is not stored, and not read. */
const MAX_TEXT = 10_000;

/** A text in plain letters, without accents, typographic letters and markup, of which 10,000 characters count. */
export function plainLetters(raw: string): string {
  let text = raw.length > MAX_TEXT ? raw.slice(0, MAX_TEXT) : raw;
  if (text.includes('<')) text = text.replace(/<[^<>]{1,100}>/g, '\n');
  if (text.includes('&')) text = text.replace(/&(amp|nbsp|quot|lt|gt|#39|#039|apos);/gi, entity);
  return text.replace(OTHER_LETTERS, plainRun);
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: all but ASCII
const OTHER_LETTERS = /[^\u0000-\u007f]+/g;
/** Memoized, as most are a quotation mark or a dash. */
const plainRun = memoize(
  (run) =>
    run
      .normalize('NFKD')
      .replace(/\p{M}|\u00ad|\u200b|\u200c|\u200d|\u2060|\ufeff/gu, '')
      .replaceAll('’', "'"),
  { maxEntries: 1_000, maxKeyLength: 4 },
);

const entities: Readonly<Record<string, string>> = { amp: '&', quot: '"', lt: ' ', gt: ' ', nbsp: ' ' };
const entity = (_whole: string, name: string) => entities[name.toLowerCase()] ?? "'";
