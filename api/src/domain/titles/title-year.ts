import { filler, priceWords, units } from './title-lists.ts';
import type { Span, Word } from './title-words.ts';

const FIRST_YEAR = 1900;
/** Two digits below this are of this century where that isn't the future; above, of the last. */
const FIRST_SHORT_YEAR = 50;
const REACH = 3;

/** The model year of a title, and the word that says it. */
export interface YearMention {
  year: number;
  index: number;
}

function isQuantity(words: readonly Word[], index: number): boolean {
  const next = words[index + 1];
  const previous = words[index - 1];
  const before = words[index]?.before ?? '';
  if (/[$#€£]\s*$/.test(before) || /^[$%"”″']/.test(next?.before ?? '')) return true;
  if (/^[.,]$/.test(before) && /\d$/.test(previous?.text ?? '')) return true;
  // 1964.5 is a half model year, 77.000 a distance.
  if (next && /^[.,]$/.test(next.before) && /^\d/.test(next.text) && next.text !== '5') return true;
  if (next && /^[\s-]*$/.test(next.before) && units.has(next.text)) return true;
  return false;
}

/** `only 2000` is a price, but `cash only 2004 LeSabre` is none. */
function isPriced(words: readonly Word[], index: number): boolean {
  return priceWords.has(words[index - 1]?.text ?? '') && /^[\s:]*$/.test(words[index]?.before ?? '');
}

/** Whether only filler stands between the word and the span, at most so many words. */
function isBeside(words: readonly Word[], index: number, span: Span): 'before' | 'after' | null {
  const [from, to] = index < span.start ? [index + 1, span.start] : [span.end, index];
  if (to - from > REACH) return null;
  for (let at = from; at < to; at++) if (!filler.has(words[at]?.text ?? '')) return null;
  return index < span.start ? 'before' : 'after';
}

function inside(index: number, spans: readonly Span[]): boolean {
  return spans.some(({ start, end }) => index >= start && index < end);
}

function fullYear(words: readonly Word[], spans: readonly Span[], lastYear: number): YearMention | null {
  let best: { score: number; mention: YearMention } | null = null;
  for (const [index, { text }] of words.entries()) {
    if (!/^(19|20)\d\d$/.test(text) || inside(index, spans)) continue;
    const year = Number(text);
    if (year < FIRST_YEAR || year > lastYear || isQuantity(words, index)) continue;
    const beside = spans.map((span) => isBeside(words, index, span));
    if (isPriced(words, index) && !beside.includes('before')) continue;
    const score = (index === 0 ? 3 : 0) + (beside.includes('before') ? 4 : beside.includes('after') ? 3 : 0);
    if (!best || score > best.score) best = { score, mention: { year, index } };
  }
  return best?.mention ?? null;
}

function shortYear(words: readonly Word[], spans: readonly Span[], lastYear: number): YearMention | null {
  for (const [index, { text, before }] of words.entries()) {
    if (!/^\d\d$/.test(text) || inside(index, spans)) continue;
    const next = words[index + 1]?.before ?? ' ';
    const marked = /(^|\s)['’‘`]$/.test(before) || /^['’](\s|$)/.test(next);
    if (!marked && isQuantity(words, index)) continue;
    if (/[.,/-]$/.test(before) || /^[.,/-]\S*$/.test(next.trim())) continue;
    const beside = spans.some((span) => isBeside(words, index, span) !== null);
    const atEdge = index === 0 || index === words.length - 1;
    if (!(spans.length > 0 && (marked || (atEdge && (beside || index > 0)) || spanFollows(words, index, spans))))
      continue;
    const value = Number(text);
    if (2000 + value <= lastYear) return { year: 2000 + value, index };
    if (value >= FIRST_SHORT_YEAR) return { year: 1900 + value, index };
  }
  return null;
}

function spanFollows(words: readonly Word[], index: number, spans: readonly Span[]): boolean {
  return spans.some((span) => isBeside(words, index, span) === 'before');
}

/**
 * The model year that a title states; `'05` and `05 civic` count where no full year stands.
 * @param spans where the car's make and model stand
 * @param lastYear the newest year a car can have
 */
export function findYear(words: readonly Word[], spans: readonly Span[], lastYear: number): YearMention | null {
  return fullYear(words, spans, lastYear) ?? shortYear(words, spans, lastYear);
}

/** Whether the year stands right beside one of the spans. */
export function yearIsBeside(words: readonly Word[], year: YearMention | null, spans: readonly Span[]): boolean {
  return year !== null && spans.some((span) => isBeside(words, year.index, span) !== null);
}
