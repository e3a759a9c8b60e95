import { MATCHES_KEPT, matchCountText } from '../domain/match-cap.ts';
import { type EndedCar, endedSentence } from './ended-cars.ts';

/** The text with the code that confirms a phone. As the first text to a number it must say how to opt out. */
export function codeText(code: string): string {
  return `${code} is your LotWatch code. It works for 10 minutes; give it to nobody. Msg & data rates may apply. Reply STOP to end, HELP for help.`;
}

/** The answer to HELP. */
export function helpText(site: { publicUrl: string; supportEmail: string }): string {
  return `LotWatch: texts about cars that match your alerts. Change them at ${site.publicUrl}/settings or write to ${site.supportEmail}. Msg & data rates may apply. Reply STOP to end.`;
}

export interface TextCar {
  title: string;
  /** Whole US dollars; null when not stated. */
  price: number | null;
  /** The former price, after a price drop. */
  priceBefore: number | null;
  /** 'Round Rock, TX' */
  place: string | null;
}

interface MatchText {
  /** 'Toyota Camry' */
  alertName: string;
  /** 'Austin, TX' */
  alertPlace: string;
  alertUrl: string;
  /** At least one; the first one is named. */
  cars: readonly TextCar[];
  /** How many cars are no longer for sale, of which the text tells too. */
  endedCars?: number;
}

const MIN_TITLE = 16;
/** Longer than any place name; a longer text of a seller would cost a second segment. */
const MAX_PLACE = 40;
/** Links of sellers, which are removed. Phones make a link of every name with a known top-level domain. */
const links =
  /(?:https?:\/\/|www\.)\S+|(?<![\w-])(?:[a-z0-9-]+\.)+(?:app|biz|cc|co|com|gl|gy|info|io|link|ly|me|net|online|org|ru|shop|site|to|top|us|xyz)\b(?:[/:?#]\S*)?/gi;

const cleanText = (text: string): string => toGsm(text.replaceAll(links, ' ').replaceAll(/\s+/g, ' ').trim()).trim();

const dollars = (price: number): string => `$${price.toLocaleString('en-US')}`;

function priceWords({ price, priceBefore }: TextCar): string {
  if (price === null) return 'no price stated';
  return priceBefore === null ? dollars(price) : `${dollars(price)}, was ${dollars(priceBefore)}`;
}

/**
 * The text about new matches: the alert, a car with price and place, the number of others, and the link. To fit one
 * segment the car's title is cut first, and then the alert's place is left out.
 */
export function matchText({ alertName, alertPlace, alertUrl, cars, endedCars = 0 }: MatchText): string {
  const [car] = cars;
  if (car === undefined) return '';
  const title = cleanText(car.title) || 'Car';
  const place = cutTo(cleanText(car.place ?? ''), MAX_PLACE) || 'place not stated';
  const compose = (named: string, shownTitle: string) => {
    const others = cars.length - 1 + endedCars;
    const more = others > MATCHES_KEPT ? ` and ${matchCountText(others)} more` : others > 0 ? ` +${others} more` : '';
    return `${named}: ${shownTitle}, ${priceWords(car)}, ${place}${more} ${alertUrl}`;
  };
  const names = [`${toGsm(alertName)} near ${toGsm(alertPlace)}`, toGsm(alertName)];
  for (const named of names) {
    const room = SEGMENT_SEPTETS - septets(compose(named, ''));
    if (room >= septets(title)) return compose(named, title);
    if (room >= MIN_TITLE) return compose(named, cutTo(title, room));
  }
  return compose(names[1] ?? '', cutTo(title, MIN_TITLE));
}

/** The text about cars that are no longer for sale, where there is nothing else to tell. @param count of all, at least one */
export function endedCarsText(cars: readonly EndedCar[], count: number, alertUrl: string): string {
  const [car] = cars;
  if (car === undefined) return '';
  const more = count > 1 ? ` +${count - 1} more` : '';
  const rest = `.${more} Similar cars: ${alertUrl}`;
  return `${cutTo(toGsm(endedSentence(car)), SEGMENT_SEPTETS - septets(rest))}${rest}`;
}

/** Source: 3GPP TS 23.038, the default alphabet and its extension, each of whose characters takes two septets. */
const BASIC =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
const EXTENDED = '\f^{}\\[~]|€';

const basic = new Set(BASIC);
const extended = new Set(EXTENDED);

/** Replacements of characters for which removing accents is not enough. */
const replacements: Readonly<Record<string, string>> = {
  '‘': "'",
  '’': "'",
  '‚': "'",
  '′': "'",
  '`': "'",
  '´': "'",
  '“': '"',
  '”': '"',
  '„': '"',
  '«': '"',
  '»': '"',
  '″': '"',
  '–': '-',
  '—': '-',
  '‐': '-',
  '‑': '-',
  '−': '-',
  '·': '-',
  '•': '-',
  '×': 'x',
  '→': '->',
  '®': '(R)',
  '©': '(C)',
  '¢': 'c',
  ł: 'l',
  Ł: 'L',
  đ: 'd',
  Đ: 'D',
  ı: 'i',
  œ: 'oe',
  Œ: 'OE',
  '°': ' deg',
};

function plain(character: string): string {
  if (basic.has(character) || extended.has(character)) return character;
  const known = replacements[character];
  if (known !== undefined) return known;
  if (/\s/.test(character)) return ' ';
  return [...character.normalize('NFKD')]
    .map((part) => (basic.has(part) || extended.has(part) ? part : (replacements[part] ?? '')))
    .join('');
}

/** Converts a text to GSM-7 characters. Characters without a similar one, such as emoji, are left out. */
export function toGsm(text: string): string {
  return [...text.normalize('NFC')].map(plain).join('');
}

/** Counts the septets of a GSM-7 text. */
export function septets(text: string): number {
  let count = 0;
  for (const character of text) count += extended.has(character) ? 2 : 1;
  return count;
}

const SINGLE = 160;
/** Six bytes of each part are a header. */
const PART = 153;

/** Counts the segments of a GSM-7 text. A character of two septets is not split. */
export function segments(text: string): number {
  if (septets(text) <= SINGLE) return 1;
  let parts = 1;
  let used = 0;
  for (const character of text) {
    const size = extended.has(character) ? 2 : 1;
    if (used + size > PART) {
      parts += 1;
      used = 0;
    }
    used += size;
  }
  return parts;
}

/** Cuts a GSM-7 text to a number of septets, with '..' at the end when it was cut. */
export function cutTo(text: string, room: number): string {
  if (septets(text) <= room) return text;
  let kept = '';
  for (const character of text) {
    if (septets(kept) + septets(character) > room - 2) break;
    kept += character;
  }
  return `${kept.trimEnd()}..`;
}

export const SEGMENT_SEPTETS = SINGLE;
