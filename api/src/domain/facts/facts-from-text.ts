import { trimEnd } from '../../base/trim-end.ts';

/** A colour of the catalogue and the shades that are filed under it. */
const shades: Record<string, string> = {
  black: 'black onyx ebony jet obsidian midnight',
  white: 'white ivory pearl alabaster snow frost',
  silver: 'silver platinum aluminum aluminium',
  gray: 'gray grey charcoal graphite gunmetal slate pewter granite steel titanium anthracite',
  blue: 'blue navy azure teal turquoise aqua cyan indigo sapphire',
  red: 'red maroon burgundy crimson ruby scarlet cherry wine garnet',
  green: 'green olive lime emerald forest sage',
  yellow: 'yellow lemon',
  orange: 'orange copper tangerine rust',
  brown: 'brown bronze mocha chocolate espresso mahogany',
  gold: 'gold golden',
  beige: 'beige champagne tan cream sand khaki cashmere almond',
  purple: 'purple violet plum lavender amethyst',
};

const colorOfWord = new Map(
  Object.entries(shades).flatMap(([color, words]) => words.split(' ').map((word) => [word, color] as const)),
);
const unstated = new Set(['', 'unknown', 'not specified', 'unspecified', 'n/a', 'na', 'none', 'null', 'any', '-']);

/**
 * The catalogue's colour for what a seller states: maroon is red, champagne beige, `Pearl White` white.
 * 'other' is stated but in no list; null is not stated.
 */
export function readColor(text: string): string | null {
  const plain = text.slice(0, 100).toLowerCase().replaceAll('_', ' ').trim();
  if (unstated.has(plain)) return null;
  const words = plain.match(/[a-z]+/g) ?? [];
  if (words.length === 0) return null;
  // The colour itself stands last: `midnight blue` is blue, `white/black` takes the first.
  const first = plain.split(/[/,;&+]/)[0]?.match(/[a-z]+/g) ?? words;
  const basic = first.find((word) => Object.hasOwn(shades, word));
  if (basic) return basic;
  for (const word of [...first].reverse()) {
    const color = colorOfWord.get(word);
    if (color) return color;
  }
  return 'other';
}

const shown = new Map(
  Object.entries({
    new: 'New',
    used: 'Used',
    preowned: 'Used',
    certifiedpreowned: 'Certified pre-owned',
    certified: 'Certified pre-owned',
    cpo: 'Certified pre-owned',
    likenew: 'Used - Like New',
    usedlikenew: 'Used - Like New',
    usedgood: 'Used - Good',
    usedfair: 'Used - Fair',
    refurbished: 'Refurbished',
    damaged: 'Damaged',
    excellent: 'Excellent',
    verygood: 'Very good',
    good: 'Good',
    fair: 'Fair',
    poor: 'Poor',
  }),
);

/** The condition in words to show, from `PC_USED_GOOD`, `used_like_new`, `https://schema.org/UsedCondition`; null when unknown. */
export function readCondition(text: string): string | null {
  const key = text
    .slice(0, 100)
    .replace(/^https?:\/\/schema\.org\//i, '')
    .toLowerCase()
    .replace(/[^a-z]/g, '')
    .replace(/^pc/, '')
    .replace(/condition$/, '');
  return shown.get(key) ?? null;
}

const MILES_PER_KM = 0.621371;
/** More than this no car has run. */
const MAX_MILES = 2_000_000;

/** Whole miles, or null for what can't be a car's. @param unit `km`, `KILOMETERS`, `KMT`; else miles */
export function milesOf(value: number, unit: string | null): number | null {
  const kilometres = unit !== null && /^(km|kms|kmt|kilometers?|kilometres?)$/i.test(unit.trim());
  const miles = Math.round(kilometres ? value * MILES_PER_KM : value);
  return Number.isFinite(miles) && miles >= 0 && miles <= MAX_MILES ? miles : null;
}

/** Miles from a text like `215K miles`, `Driven 105,000 km`, `45.5k mi`; null where none are stated. */
export function readMileage(text: string): number | null {
  const match = /(\d[\d.,]{0,12})\s?(k)?\s?(miles?|mi|kilomet(?:er|re)s?|kms?)\b/i.exec(text.slice(0, 200));
  const [, digits = '', kilo, unit = ''] = match ?? [];
  if (digits === '') return null;
  const bare = trimEnd(digits, '.,');
  const number = /^\d{1,3}([.,]\d{3})+$/.test(bare) ? bare.replace(/[.,]/g, '') : bare.replace(',', '.');
  return milesOf(Number(number) * (kilo ? 1000 : 1), unit);
}

/** Miles of a field that holds mileage and nothing else, so that its number needs no unit: `98,000`, `120k`, `12 000 km`. */
export function readOdometer(text: string): number | null {
  const plain = text.slice(0, 100).trim();
  const [, digits = '', kilo, unit] =
    /^(\d{1,3}(?:[ \u00a0']\d{3})+|\d[\d.,]{0,12})\s?(k)?\s?(miles?|mi|km|kms|kmt|smi|kilomet(?:er|re)s?)?\.?$/i.exec(
      plain,
    ) ?? [];
  if (digits === '') return readMileage(text);
  const bare = trimEnd(digits.replace(/[^\d.,]/g, ''), '.,');
  const number = /^\d{1,3}([.,]\d{3})+$/.test(bare) ? bare.replace(/[.,]/g, '') : bare.replace(',', '.');
  return milesOf(Number(number) * (kilo ? 1000 : 1), unit ?? null);
}

/** Automatic or manual, as far as a text says; a CVT or dual clutch shifts by itself. */
export function readTransmission(text: string): 'automatic' | 'manual' | null {
  const plain = text.slice(0, 100).toLowerCase();
  if (/auto|cvt|dct|dual.clutch|continuously|tiptronic|dsg|a\/t|\d\s?at\b/.test(plain)) return 'automatic';
  return /manual|stick|standard|m\/t|\d\s?mt\b/.test(plain) ? 'manual' : null;
}

const VIN = /^[A-HJ-NPR-Z0-9]{17}$/;

/** A vehicle identification number in capitals; null for any other text. Source: ISO 3779: 17 characters, no I, O, Q. */
export function readVin(text: string | null | undefined): string | null {
  const vin = text?.trim().toUpperCase() ?? '';
  // Sellers repeat one character to fill a mandatory field.
  return VIN.test(vin) && new Set(vin).size > 3 ? vin : null;
}
