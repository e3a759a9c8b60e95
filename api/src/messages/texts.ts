/** The code that confirms a phone. It also says how to end texts, as the first text to a number has to. */
export function codeText(code: string): string {
  return `${code} is your LotWatch code. It works for 10 minutes; give it to nobody. Msg & data rates may apply. Reply STOP to end, HELP for help.`;
}

/** The answer to HELP. */
export function helpText(site: { publicUrl: string; supportEmail: string }): string {
  return `LotWatch: texts about cars that match your alerts. Change them at ${site.publicUrl}/settings or write to ${site.supportEmail}. Msg & data rates may apply. Reply STOP to end.`;
}

export interface TextCar {
  title: string;
  /** Whole US dollars; null where the seller states none. */
  price: number | null;
  /** What it cost before, where its price dropped. */
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
  /** At least one; the first is the one that is named. */
  cars: readonly TextCar[];
}

const SHORTEST_TITLE = 16;
/** Longer than any place is called: the rest of a seller's words would cost a second text. */
const LONGEST_PLACE = 40;
/** A seller's own links have no place in a message of ours; phones make one of every name with a known ending. */
const links =
  /(?:https?:\/\/|www\.)\S+|(?<![\w-])(?:[a-z0-9-]+\.)+(?:app|biz|cc|co|com|gl|gy|info|io|link|ly|me|net|online|org|ru|shop|site|to|top|us|xyz)\b(?:[/:?#]\S*)?/gi;

const ownWords = (text: string): string => toGsm(text.replaceAll(links, ' ').replaceAll(/\s+/g, ' ').trim()).trim();

const dollars = (price: number): string => `$${price.toLocaleString('en-US')}`;

function priceWords({ price, priceBefore }: TextCar): string {
  if (price === null) return 'no price stated';
  return priceBefore === null ? dollars(price) : `${dollars(price)}, was ${dollars(priceBefore)}`;
}

/**
 * What a text says of new matches: the alert, a car with price and place, how many more, and the link. It is cut to fit
 * one segment: the car's title first, then the alert's place; what must be said is never cut.
 */
export function matchText({ alertName, alertPlace, alertUrl, cars }: MatchText): string {
  const [car] = cars;
  if (car === undefined) return '';
  const title = ownWords(car.title) || 'Car';
  const place = cutTo(ownWords(car.place ?? ''), LONGEST_PLACE) || 'place not stated';
  const compose = (named: string, shownTitle: string) => {
    const more = cars.length > 1 ? ` +${cars.length - 1} more` : '';
    return `${named}: ${shownTitle}, ${priceWords(car)}, ${place}${more} ${alertUrl}`;
  };
  const names = [`${toGsm(alertName)} near ${toGsm(alertPlace)}`, toGsm(alertName)];
  for (const named of names) {
    const room = segmentRoom - septets(compose(named, ''));
    if (room >= septets(title)) return compose(named, title);
    if (room >= SHORTEST_TITLE) return compose(named, cutTo(title, room));
  }
  return compose(names[1] ?? '', cutTo(title, SHORTEST_TITLE));
}

/** Source: 3GPP TS 23.038, the default alphabet and its extension, each of whose characters takes two septets. */
const BASIC =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà';
const EXTENDED = '\f^{}\\[~]|€';

const basic = new Set(BASIC);
const extended = new Set(EXTENDED);

/** What looks alike, where taking accents off is not enough. */
const alike: Readonly<Record<string, string>> = {
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
  const known = alike[character];
  if (known !== undefined) return known;
  if (/\s/.test(character)) return ' ';
  return [...character.normalize('NFKD')]
    .map((part) => (basic.has(part) || extended.has(part) ? part : (alike[part] ?? '')))
    .join('');
}

/** The text in GSM-7 characters alone; what has none that is alike, such as emoji, is left out. */
export function toGsm(text: string): string {
  return [...text.normalize('NFC')].map(plain).join('');
}

/** Septets of a text of GSM-7 characters. */
export function septets(text: string): number {
  let count = 0;
  for (const character of text) count += extended.has(character) ? 2 : 1;
  return count;
}

const SINGLE = 160;
/** Six bytes of each part number the parts. */
const PART = 153;

/** How many segments a text of GSM-7 characters is sent as; a character of two septets is not torn apart. */
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

/** As much of a GSM-7 text as fits, with '..' where some is missing. */
export function cutTo(text: string, room: number): string {
  if (septets(text) <= room) return text;
  let kept = '';
  for (const character of text) {
    if (septets(kept) + septets(character) > room - 2) break;
    kept += character;
  }
  return `${kept.trimEnd()}..`;
}

export const segmentRoom = SINGLE;
