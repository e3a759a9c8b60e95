import { placeKey, placeWords, splitState, stateOf } from '../places/place-names.ts';
import type { Gazetteer, Place } from '../places/places.ts';
import { isWithinEdits } from '../titles/spelling.ts';
import { makeByName } from '../titles/vehicle-names.ts';
import type { Step } from './wish-fields.ts';
import { blocked, excerpt, filler, names, notPlaces, textAfter, valueByName, type WishText } from './wish-text.ts';

/** Words before a place. After a strong one the name of a small place counts too, and a misspelt one. */
const strong = new Set([
  'cerca',
  'near',
  'around',
  'outside',
  'nearby',
  'vicinity',
  'close',
  'zip',
  'zipcode',
  'location',
]);
const weak = new Set(['en', 'in', 'from', 'of', 'by', 'at']);
/** Words between those and the place: `close to`, `in the city of`. */
const between = new Set('to of de the in downtown greater central city is code around area near'.split(' '));
const followers = new Set(['area', 'metro', 'region']);
const MAX_WORDS = 5;
const MIN_PLACE = 1000;
const MIN_BARE_PLACE = 50_000;
const MIN_BARE_LETTERS = 4;
const MIN_LONG_LETTERS = 6;
const cityCodes = new Set(['nyc', 'slc', 'dfw', 'phx']);
const MIN_MISSPELT_PLACE = 50_000;
/** Abbreviations of states that are words. */
const stateWords = new Set('in or me hi ok oh de la id co ma pa al so'.split(' '));

interface Found {
  end: number;
  place: Place;
  words: readonly string[];
}

/** Reads a place after a word such as `near`. @param isAfterRadius whether a distance stands before it */
export function placeAfter(text: WishText, start: number, gazetteer: Gazetteer, isAfterRadius: boolean): Step {
  const lead = text.words[start]?.text ?? '';
  if (!strong.has(lead) && !weak.has(lead)) return null;
  if (
    lead === 'of' &&
    !isAfterRadius &&
    !['area', 'north', 'south', 'east', 'west', 'outside'].includes(text.words[start - 1]?.text ?? '')
  )
    return null;
  let at = start + 1;
  while (between.has(text.words[at]?.text ?? '') && at - start < 4) at++;
  const isStrong = strong.has(lead) || isAfterRadius;
  const zip = zipAt(text, at, gazetteer);
  const found =
    zip ?? exactAt(text, at, gazetteer, isStrong ? 0 : MIN_PLACE, isStrong) ?? misspeltAt(text, at, gazetteer);
  return found && step(text, start, at, found, gazetteer);
}

/** Reads a place that stands alone, as in `civic reno nv`: a ZIP, a place with its state, or a large one. */
export function placeAt(text: WishText, start: number, gazetteer: Gazetteer): Step {
  const found = zipAt(text, start, gazetteer) ?? exactAt(text, start, gazetteer, MIN_BARE_PLACE, false);
  // Two and three letters are more often a trim than a nickname: `Civic Si`.
  if (found?.words.length === 1 && names.has(found.words[0] ?? '')) return null;
  const isShort = found?.words.length === 1 && (found.words[0]?.length ?? 0) < MIN_BARE_LETTERS;
  if (isShort && !cityCodes.has(found.words[0] ?? '')) return null;
  return found && uncertain(step(text, start, start, found, gazetteer));
}

/** No word says that it is a place, so that another one counts more. */
const uncertain = (read: Step): Step =>
  read && { ...read, parts: read.parts.map((part) => ({ ...part, isUncertain: true })) };

/** A place of several words, of which the first may be another thing: `New York`, `Green Bay`, `Colorado Springs`. */
export function longPlaceAt(text: WishText, start: number, gazetteer: Gazetteer): Step {
  const found = exactAt(text, start, gazetteer, MIN_BARE_PLACE, false);
  // Two short words together may be the code of an airport: `or F`.
  const isLong = found && found.words.length > 1 && found.words.join('').length >= MIN_LONG_LETTERS;
  return isLong ? uncertain(step(text, start, start, found, gazetteer)) : null;
}

/** A place with its state, such as `Silver Spring MD`, of which the first word alone may be another thing. */
export function statedPlaceAt(text: WishText, start: number, gazetteer: Gazetteer): Step {
  const found = exactAt(text, start, gazetteer, Number.POSITIVE_INFINITY, false);
  if (!found || !splitState(found.words).some(({ name }) => name.length > 0)) return null;
  const state = found.words.at(-1) ?? '';
  const isCertain = found.words.length > 2 || !stateWords.has(state);
  return isCertain ? step(text, start, start, found, gazetteer) : null;
}

function step(text: WishText, start: number, at: number, found: Found, gazetteer: Gazetteer): Step {
  let end = found.end;
  while (followers.has(text.words[end]?.text ?? '')) end++;
  // Which of its places is meant, nobody has said.
  if (found.place.isRegion) return { end, parts: [{ start, end, kind: 'refused', reason: 'region' }] };
  const zip = found.place.zip === null || found.words.length > 1 ? zipAt(text, end, gazetteer) : null;
  const location = locationOf(text, at, found) + (zip ? ` ${zip.words[0]}` : '');
  end = zip?.end ?? end;
  return { end, parts: [{ start, end, kind: 'value', fields: { location } }] };
}

function zipAt({ words }: WishText, start: number, gazetteer: Gazetteer): Found | null {
  const code = words[start]?.text ?? '';
  if (!/^\d{5}$/.test(code) || /\$\s?$/.test(words[start]?.before ?? '')) return null;
  if (/^,$/.test(words[start + 1]?.before ?? '') && /^\d{3}$/.test(words[start + 1]?.text ?? '')) return null;
  const place = gazetteer.resolve(code);
  if (!place) return null;
  const isPlusFour = words[start + 1]?.before === '-' && /^\d{4}$/.test(words[start + 1]?.text ?? '');
  return { end: start + (isPlusFour ? 2 : 1), place, words: [code] };
}

/** The words that may belong to a place, up to a sign that ends it. A comma may stand before a state. */
function candidates(text: WishText, start: number): string[] {
  const found: string[] = [];
  for (let at = start; at < text.words.length && found.length < MAX_WORDS; at++) {
    const word = text.words[at];
    if (!word || !/^[a-z]+$/.test(word.text)) break;
    if (at > start) {
      const isAbbreviation = /^\.\s?$/.test(word.before) && (text.words[at - 1]?.text.length ?? 0) <= 2;
      const isComma = /^\s?[,(]\s?$/.test(word.before) && startsState(text, at);
      if (!/^[\s-]+$/.test(word.before) && !isAbbreviation && !isComma) break;
      if (stateWords.has(word.text) && !isState(text, at)) break;
    }
    found.push(word.text);
  }
  return found;
}

const startsState = ({ words }: WishText, at: number) =>
  stateOf([words[at]?.text ?? '']) !== null || stateOf([words[at]?.text ?? '', words[at + 1]?.text ?? '']) !== null;

/** Whether `or`, `in` or `me` after a name is a state: after a comma, in capitals, or where the sentence ends. */
function isState(text: WishText, at: number): boolean {
  const { words } = text;
  const word = words[at];
  if (!word) return false;
  const isShouted = word.capital && !(words[at - 1]?.capital ?? false);
  const next = words[at + 1];
  const isEnd = next === undefined || /[,;.()|?!]/.test(textAfter(text, at));
  if (['or', 'in', 'me', 'so'].includes(word.text)) return isShouted || (word.before.includes(',') && isEnd) || isEnd;
  return true;
}

function exactAt(
  text: WishText,
  start: number,
  gazetteer: Gazetteer,
  minPopulation: number,
  isStrong: boolean,
): Found | null {
  const names = candidates(text, start);
  for (let count = names.length; count > 0; count--) {
    const words = names.slice(0, count);
    const key = words.join('');
    const isStated = splitState(words).some(({ name }) => name.length > 0);
    if (
      !isStated &&
      !isStrong &&
      (valueByName.has(key) || blocked.has(key) || filler.has(key) || notPlaces.has(key) || makeByName.has(key))
    )
      continue;
    if (count === 1 && filler.has(key)) continue;
    const name = splitState(words)[0]?.name ?? words;
    if (isStated && name.length > 0 && name.every((word) => filler.has(word))) continue;
    const place = gazetteer.named(words);
    if (place && (isStated || place.population >= minPopulation)) return { end: start + count, place, words };
  }
  return null;
}

/** A misspelt place after a word such as `near`. */
function misspeltAt(text: WishText, start: number, gazetteer: Gazetteer): Found | null {
  const all = candidates(text, start);
  const known = all.findIndex(
    (word) => filler.has(word) || valueByName.has(word) || makeByName.has(word) || notPlaces.has(word),
  );
  const names = known < 0 ? all : all.slice(0, known);
  for (let count = names.length; count > 0; count--) {
    const words = names.slice(0, count);
    const key = placeKey(words);
    if (key.length < 5) continue;
    const place = gazetteer.resolve(words.join(' '));
    if (!place || place.population < MIN_MISSPELT_PLACE) continue;
    const [stated] = splitState(words);
    const typed = placeKey(stated && stated.name.length > 0 ? stated.name : words);
    if (isWithinEdits(typed, placeKey(placeWords(place.name)), 2)) return { end: start + count, place, words };
  }
  return null;
}

/** The location as the form takes it: the place's name, with the state only if it was stated, or a nickname as typed. */
function locationOf(text: WishText, at: number, { place, words }: Found): string {
  if (/^\d{5}$/.test(words[0] ?? '')) return words[0] ?? '';
  const stated = splitState(words).find(({ name }) => name.length > 0);
  const isOwnName = placeKey(words) === placeKey(placeWords(place.name));
  const name = isOwnName || !stated ? words : stated.name;
  const own = placeKey(placeWords(place.name));
  const typed = excerpt(text, at, at + name.length);
  const shown = isWithinEdits(placeKey(name), own, 2) && own.length > 3 ? place.name : capitalised(typed);
  return stated && !isOwnName ? `${shown}, ${place.state}` : shown;
}

function capitalised(typed: string): string {
  if (/[A-Z]/.test(typed)) return typed;
  if (typed.length <= 3) return typed.toUpperCase();
  return typed.replace(/\b[a-z]/g, (letter) => letter.toUpperCase());
}
