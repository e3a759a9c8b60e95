import { colors } from '../catalogue.ts';
import { colorOfWord } from '../facts/facts-from-text.ts';
import { joined, type Word } from '../titles/title-words.ts';
import type { Step, WishFields } from './wish-fields.ts';
import { blocked, filler, isJoined, isSlip, longestName, valueByName } from './wish-text.ts';

const basicColors: ReadonlySet<string> = new Set(colors.map(({ value }) => value));
/** Shades that alone mean a color; others are also ordinary words, as `rust` and `cherry`. */
const plainShades = new Set(
  'grey maroon burgundy navy teal charcoal champagne tan bronze crimson ivory turquoise lavender violet graphite gunmetal'.split(
    ' ',
  ),
);
/** How colors are abbreviated, and the most usual ones in Spanish. */
const colorWords = new Map(
  Object.entries({
    blk: 'black',
    wht: 'white',
    grn: 'green',
    gry: 'gray',
    slvr: 'silver',
    blu: 'blue',
    brn: 'brown',
    ylw: 'yellow',
    negro: 'black',
    negra: 'black',
    blanco: 'white',
    blanca: 'white',
    rojo: 'red',
    roja: 'red',
    azul: 'blue',
    gris: 'gray',
    plateado: 'silver',
    plateada: 'silver',
    verde: 'green',
    amarillo: 'yellow',
    dorado: 'gold',
  }),
);
const tones = new Set(
  'dark light bright deep metallic midnight pale matte flat solid royal sky baby hot lime'.split(' '),
);

/** A value of a field with fixed values: `all-wheel drive`, `stick shift`, `SUV`. */
export function valueAt(words: readonly Word[], start: number): { end: number; fields: WishFields } | null {
  const found = longestName(words, start, (key) => valueByName.get(key));
  return found && { end: found.end, fields: found.found };
}

/** A name that contains a value's and means something else, as `black interior`. */
export function blockedAt(words: readonly Word[], start: number): Step {
  const found = longestName(words, start, (key) => (blocked.has(key) ? true : undefined));
  return found && { end: found.end, parts: [{ start, end: found.end, kind: 'refused', reason: 'unread' }] };
}

/** A color of the catalogue: `grey`, `dark blue`, `cherry red`. */
export function colorAt(words: readonly Word[], start: number): { end: number; color: string } | null {
  const first = words[start]?.text ?? '';
  const second = words[start + 1];
  const isBasic = (text: string) => basicColors.has(text) && text !== 'any' && text !== 'other';
  const isPlain = (text: string) => isBasic(text) || plainShades.has(text) || colorWords.has(text);
  const named = (text: string) => colorWords.get(text) ?? colorOfWord.get(text) ?? text;
  if (
    second &&
    isJoined(second.before) &&
    isPlain(second.text) &&
    !isPlain(first) &&
    (tones.has(first) || colorOfWord.has(first))
  )
    return { end: start + 2, color: named(second.text) };
  if (!isPlain(first)) return null;
  const isToned = second?.text === 'metallic' || second?.text === 'pearl';
  // `black on tan`: the second color is that of the seats.
  const isOnOther = ['on', 'over'].includes(second?.text ?? '') && isPlain(words[start + 2]?.text ?? '');
  return { end: start + (isOnOther ? 3 : isToned ? 2 : 1), color: named(first) };
}

const isAlternative = (words: readonly Word[], at: number) =>
  ['or', 'and'].includes(words[at]?.text ?? '') ? at + 1 : /[/,&]/.test(words[at]?.before ?? '') ? at : null;

/** One color, or several, of which an alert can have none. */
export function colorsAt(words: readonly Word[], start: number): Step {
  const first = colorAt(words, start);
  if (!first) return null;
  let { end } = first;
  const all = new Set([first.color]);
  for (;;) {
    const next = isAlternative(words, end);
    const more = next === null ? null : colorAt(words, next);
    if (!more) break;
    all.add(more.color);
    end = more.end;
  }
  if (all.size > 1) return { end, parts: [{ start, end, kind: 'refused', reason: 'one color' }] };
  return { end, parts: [{ start, end, kind: 'value', fields: { color: first.color } }] };
}

/** `rebuilt` alone may be said of an engine. */
const isBareTitle = (fields: WishFields | undefined, name: string): boolean =>
  fields?.titleStatus === 'rebuilt' && !/title/.test(name);

/** One value of a field, or several, of which none is taken. */
export function valuesAt(words: readonly Word[], start: number): Step {
  const first = valueAt(words, start);
  if (!first || isBareTitle(first.fields, joined(words, start, first.end))) return null;
  const [field] = Object.keys(first.fields) as (keyof WishFields)[];
  let { end } = first;
  let areSeveral = false;
  for (;;) {
    const at = words[end]?.text === 'or' ? end + 1 : words[end]?.before === '/' ? end : null;
    const next = at === null ? null : valueAt(words, at);
    if (!next || !field || next.fields[field] === undefined) break;
    areSeveral ||= next.fields[field] !== first.fields[field];
    end = next.end;
  }
  if (areSeveral) return { end, parts: [{ start, end, kind: 'refused', reason: 'one choice' }] };
  return { end, parts: [{ start, end, kind: 'value', fields: first.fields }] };
}

const MIN_MISSPELT = 5;

/** A misspelt color or value; only for words that nothing else explains. */
export function misspeltValueAt(words: readonly Word[], start: number): Step {
  const text = words[start]?.text ?? '';
  if (text.length < MIN_MISSPELT || filler.has(text)) return null;
  const isNear = (name: string) =>
    name.length >= MIN_MISSPELT &&
    name[0] === text[0] &&
    isSlip(text, name) &&
    !isBareTitle(valueByName.get(name), name);
  const end = start + 1;
  const color = [...basicColors].find(isNear);
  if (color && color !== 'other') return { end, parts: [{ start, end, kind: 'value', fields: { color } }] };
  const name = [...valueByName.keys()].find(isNear);
  const fields = name === undefined ? undefined : valueByName.get(name);
  return fields ? { end, parts: [{ start, end, kind: 'value', fields }] } : null;
}
