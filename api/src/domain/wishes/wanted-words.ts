import { joined, type Word } from '../titles/title-words.ts';
import { amountAt } from './amounts.ts';
import { carAt } from './cars.ts';
import { blockedAt, colorAt, misspeltValueAt, valueAt } from './kinds.ts';
import type { Part, Step, WishFields } from './wish-fields.ts';
import { excerpt, filler, isJoined, longestName, textAfter, type WishText } from './wish-text.ts';

const names = (list: string) => new Set(list.split(', ').map((name) => name.replaceAll(' ', '')));

const negators = names(
  'no, not, without, except, excluding, exclude, excludes, avoid, avoiding, never, minus, skip, hide, ignore, other than, ' +
    'anything but, any color but, any color except, any color other than, any colour but, replace, replacing, instead of, trade in, trading in, dont want, do not want, but not, leave out, filter out, nothing with, isnt, not interested in, nor, zero',
);
/** Words between `no` and what is not wanted. */
const glue = new Set(
  'any a an the looking for want interested in into be have has having with ads ad listings anything that which are is of to it my our his her wifes husbands old current moms dads'.split(
    ' ',
  ),
);
/** These are said of listings, so that unknown words after them are words of listings; `no rust` is said of cars. */
const excluders = names('exclude, excluding, excludes, skip, hide, ignore, filter out, leave out, minus');
const sayings = new Set(
  'word words say says saying mention mentions mentioning containing contains contain keyword keywords'.split(' '),
);

const demands = names(
  'must mention, must say, must include, must contain, has to say, has to mention, has to include, should say, should mention, ' +
    'that says, that say, that mention, that mentions, mentions, mentioning, saying, with the word, with the words, with word, the word, the words, ' +
    'including the word, including the words, containing, containing the word, contains, keyword, keywords, must have the word, ' +
    'must have the words, title says, title must say, title should say, with keyword, with the keyword, include the word, include the words, must have word, must have words, must contain the word, must mention the word, must include the word, must say the word',
);

/** Words that say who sells, which an alert does not know. */
const sellers = names(
  'dealer, dealers, dealership, dealerships, private, flippers, curbstoners, scams, scammers, spam, auctions, auction',
);
const unknownTitles = names('flood, lemon, junk, parts only title');

const opposite: Record<string, string> = { manual: 'automatic', automatic: 'manual' };
const MAX_PHRASE = 2;

/** Words to demand: `must mention "third row"`, `with the word sunroof`. Words in quotes are demanded without more. */
export function demandedAt(text: WishText, start: number): Step {
  const demand = longestName(text.words, start, (key) => (demands.has(key) ? true : undefined));
  if (!demand) {
    const quoted = quotedAt(text, start);
    return (
      quoted && {
        end: quoted.end,
        parts: [{ start, end: quoted.end, kind: 'value', fields: { requireWords: [quoted.phrase] } }],
      }
    );
  }
  let at = demand.end;
  while (['the', 'word', 'words', 'a', 'an', 'either'].includes(text.words[at]?.text ?? '')) at++;
  const list = phrasesAt(text, at);
  if (!list) return null;
  return { end: list.end, parts: [{ start, end: list.end, kind: 'value', fields: { requireWords: list.phrases } }] };
}

/** What is not wanted: `no salvage`, `not a truck`, `without rust or dents`. */
export function negatedAt(text: WishText, start: number): Step {
  const { words } = text;
  const negator = longestName(words, start, (key) => (negators.has(key) ? true : undefined));
  if (!negator) return null;
  let at = negator.end;
  const excludes = excluders.has(joined(words, start, negator.end));
  let isAboutWords = false;
  for (let word = words[at]; word && (glue.has(word.text) || sayings.has(word.text)); word = words[at]) {
    if (!isJoined(word.before)) return null;
    isAboutWords ||= sayings.has(word.text);
    at++;
  }
  if (words[at] && !/^[\s:"'([-]*$/.test(words[at]?.before ?? '')) return null;
  const parts: Part[] = [];
  let from = start;
  for (;;) {
    const item = isAboutWords ? wordsItem(text, from, at) : itemAt(text, from, at, excludes);
    if (!item) break;
    parts.push(...item.parts);
    const next = nextItem(text, item.end);
    from = item.end;
    if (next === null) break;
    at = next;
  }
  if (parts.length === 0) return null;
  return { end: from, parts };
}

/** The index of the next thing that is not wanted; null if the list ends. */
function nextItem({ words }: WishText, end: number): number | null {
  const word = words[end];
  if (!word) return null;
  if (['or', 'nor'].includes(word.text) && isJoined(word.before)) return end + 1;
  const isTitle = (at: number) => isTitleValue(valueAt(words, at)?.fields) || unknownTitles.has(words[at]?.text ?? '');
  if (word.text === 'and') return isTitle(end + 1) || !isKnown(words, end + 1) ? end + 1 : null;
  // `no salvage, rebuilt or flood` goes on; `no salvage, automatic` does not.
  if (/^\s?[,/]\s?$/.test(word.before) && (isTitle(end) || word.before.includes('/'))) return end;
  if (/^\s?,\s?$/.test(word.before) && ['or', 'nor'].includes(words[end + 1]?.text ?? '') && !isKnown(words, end))
    return end;
  return null;
}

const isTitleValue = (fields: WishFields | undefined) =>
  fields?.titleStatus !== undefined && fields.titleStatus !== 'clean';

function isKnown(words: readonly Word[], at: number): boolean {
  const text = words[at]?.text ?? '';
  return (
    Boolean(blockedAt(words, at)) ||
    Boolean(valueAt(words, at) ?? colorAt(words, at) ?? amountAt(words, at) ?? carAt(words, at, null)) ||
    filler.has(text)
  );
}

type Item = { end: number; parts: Part[] } | null;

function wordsItem(text: WishText, start: number, at: number): Item {
  const list = phrasesAt(text, at);
  return (
    list && { end: list.end, parts: [{ start, end: list.end, kind: 'value', fields: { excludeWords: list.phrases } }] }
  );
}

function itemAt(text: WishText, start: number, at: number, excludes: boolean): Item {
  const { words } = text;
  const unwanted = (end: number, field?: keyof WishFields): Item => ({
    end,
    parts: [{ start, end, kind: 'refused', reason: 'unwanted', field }],
  });
  const asked = (end: number, fields: WishFields): Item => ({ end, parts: [{ start, end, kind: 'value', fields }] });
  const value = valueAt(words, at);
  if (value) {
    let { end } = value;
    while (['title', 'titles', 'please', 'cars'].includes(words[end]?.text ?? '') && isJoined(words[end]?.before ?? ''))
      end++;
    const { titleStatus, transmission } = value.fields;
    if (titleStatus === 'clean') return unwanted(end);
    if (titleStatus !== undefined) return asked(end, { titleStatus: 'clean' });
    if (transmission !== undefined && words[at]?.text !== 'cvt')
      return asked(end, { transmission: opposite[transmission] });
    return unwanted(end, Object.keys(value.fields)[0] as keyof WishFields);
  }
  const color = colorAt(words, at);
  if (color) return unwanted(color.end, 'color');
  const quoted = quotedAt(text, at);
  if (quoted) return asked(quoted.end, { excludeWords: [quoted.phrase] });
  const word = words[at]?.text ?? '';
  if (sellers.has(word)) return unwanted(at + 1);
  if (unknownTitles.has(word))
    return asked(words[at + 1]?.text === 'title' ? at + 2 : at + 1, { titleStatus: 'clean' });
  const car = carAt(words, at, null);
  if (car?.parts.some((part) => part.kind === 'car' && !part.isWeak)) return unwanted(car.end);
  const misspelt = misspeltValueAt(words, at)?.parts[0];
  if (misspelt?.kind === 'value' && isTitleValue(misspelt.fields)) return asked(at + 1, { titleStatus: 'clean' });
  const phrase = phraseAt(text, at);
  if (!phrase) return null;
  return excludes ? asked(phrase.end, { excludeWords: [phrase.phrase] }) : unwanted(phrase.end);
}

/** Words in quotes. */
function quotedAt(text: WishText, start: number): { end: number; phrase: string } | null {
  const { words } = text;
  if (!/["“”]$/.test(words[start]?.before ?? '')) return null;
  for (let end = start + 1; end <= Math.min(words.length, start + 5); end++) {
    if (/^["“”]/.test(textAfter(text, end - 1))) return { end, phrase: excerpt(text, start, end).toLowerCase() };
  }
  return null;
}

/** One or two words that nothing else explains. */
function phraseAt(text: WishText, start: number, mayBeginWithFiller = false): { end: number; phrase: string } | null {
  let end = start;
  const { words } = text;
  while (end < words.length && end - start < MAX_PHRASE) {
    const word = words[end];
    if (
      !word ||
      (end > start && !/^[\s-]*$/.test(word.before)) ||
      (filler.has(word.text) && !(mayBeginWithFiller && end === start)) ||
      (end > start && isKnown(words, end))
    )
      break;
    if (amountAt(words, end)) break;
    end++;
  }
  if (mayBeginWithFiller && end - start < 2) return null;
  return end === start ? null : { end, phrase: excerpt(text, start, end).toLowerCase() };
}

/** A list of phrases: `flood and parts`, `"third row", "tow hitch"`. */
function phrasesAt(text: WishText, start: number): { end: number; phrases: string[] } | null {
  const phrases: string[] = [];
  let end = start;
  for (let at = start; phrases.length < 5; ) {
    const found = quotedAt(text, at) ?? phraseAt(text, at) ?? phraseAt(text, at, true);
    if (!found) break;
    phrases.push(found.phrase);
    end = found.end;
    const next = text.words[end];
    if (next && ['and', 'or', 'nor'].includes(next.text)) at = end + 1;
    else if (next && /^["“”]?\s?[,/]\s?["“”]?$/.test(next.before) && !isKnown(text.words, end)) at = end;
    else break;
  }
  return phrases.length === 0 ? null : { end, phrases };
}
