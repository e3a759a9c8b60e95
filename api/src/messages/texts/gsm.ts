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
