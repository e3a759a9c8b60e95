import { trimEnd } from '../../base/trim-end.ts';

/** The colors of the catalogue, each with the shades that count as it. */
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

/** The catalogue's color by each of these words. */
export const colorOfWord: ReadonlyMap<string, string> = new Map(
  Object.entries(shades).flatMap(([color, words]) => words.split(' ').map((word) => [word, color] as const)),
);
const unstated = new Set(['', 'unknown', 'not specified', 'unspecified', 'n/a', 'na', 'none', 'null', 'any', '-']);

/**
 * The catalogue's color for what a seller states: `maroon` is red, `champagne` beige, `Pearl White` white. 'other' for an
 * unknown color; null if none is stated.
 */
export function readColor(text: string): string | null {
  const plain = text.slice(0, 100).toLowerCase().replaceAll('_', ' ').trim();
  if (unstated.has(plain)) return null;
  const words = plain.match(/[a-z]+/g) ?? [];
  if (words.length === 0) return null;
  // The last word is the color itself (`midnight blue`); of several colors (`white/black`) the first counts.
  const first = plain.split(/[/,;&+]/)[0]?.match(/[a-z]+/g) ?? words;
  const basic = first.find((word) => Object.hasOwn(shades, word));
  if (basic) return basic;
  for (const word of [...first].reverse()) {
    const color = colorOfWord.get(word);
    if (color) return color;
  }
  return 'other';
}

const conditions = new Map(
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

/**
 * The condition as it is shown, from `PC_USED_GOOD`, `used_like_new` or `https://schema.org/UsedCondition`; null if
 * unknown.
 */
export function readCondition(text: string): string | null {
  const key = text
    .slice(0, 100)
    .replace(/^https?:\/\/schema\.org\//i, '')
    .toLowerCase()
    .replace(/[^a-z]/g, '')
    .replace(/^pc/, '')
    .replace(/condition$/, '');
  return conditions.get(key) ?? null;
}

const MILES_PER_KM = 0.621371;
/** No car is driven farther. */
const MAX_MILES = 2_000_000;

/** Whole miles; null if no car can have them. @param unit such as `km`, `KILOMETERS`, `KMT`; any other means miles */
export function milesOf(value: number, unit: string | null): number | null {
  const kilometres = unit !== null && /^(km|kms|kmt|kilometers?|kilometres?)$/i.test(unit.trim());
  const miles = Math.round(kilometres ? value * MILES_PER_KM : value);
  return Number.isFinite(miles) && miles >= 0 && miles <= MAX_MILES ? miles : null;
}

/** The number of a mileage: a point or comma before three digits separates thousands. */
function parseDigits(digits: string): number {
  const bare = trimEnd(digits, '.,');
  return Number(/^\d{1,3}([.,]\d{3})+$/.test(bare) ? bare.replace(/[.,]/g, '') : bare.replace(',', '.'));
}

/** Miles in a text like `215K miles`, `Driven 105,000 km` or `45.5k mi`; null if none are stated. */
export function readMileage(text: string): number | null {
  const [, digits = '', kilo, unit = ''] =
    /(\d[\d.,]{0,12})\s?(k)?\s?(miles?|mi|kilomet(?:er|re)s?|kms?)\b/i.exec(text.slice(0, 200)) ?? [];
  return digits === '' ? null : milesOf(parseDigits(digits) * (kilo ? 1000 : 1), unit);
}

/** Miles in a field that states only mileage, where the unit is optional: `98,000`, `120k`, `12 000 km`. */
export function readOdometer(text: string): number | null {
  const plain = text.slice(0, 100).trim();
  const [, digits = '', kilo, unit] =
    /^(\d{1,3}(?:[ \u00a0']\d{3})+|\d[\d.,]{0,12})\s?(k)?\s?(miles?|mi|km|kms|kmt|smi|kilomet(?:er|re)s?)?\.?$/i.exec(
      plain,
    ) ?? [];
  if (digits === '') return readMileage(text);
  return milesOf(parseDigits(digits.replace(/[^\d.,]/g, '')) * (kilo ? 1000 : 1), unit ?? null);
}

/** The transmission that a text states; a CVT or dual clutch counts as automatic. */
export function readTransmission(text: string): 'automatic' | 'manual' | null {
  const plain = text.slice(0, 100).toLowerCase();
  if (/auto|cvt|dct|dual.clutch|continuously|tiptronic|dsg|a\/t|\d\s?at\b/.test(plain)) return 'automatic';
  return /manual|stick|standard|m\/t|\d\s?mt\b/.test(plain) ? 'manual' : null;
}

const VIN = /^[A-HJ-NPR-Z0-9]{17}$/;

/**
 * A vehicle identification number in capitals; null for any other text. Source: ISO 3779: 17 characters, no I, O, Q.
 */
export function readVin(text: string | null | undefined): string | null {
  const vin = text?.trim().toUpperCase() ?? '';
  // Sellers repeat one character to fill a mandatory field, or count up; no maker's code is digits alone.
  return VIN.test(vin) && new Set(vin).size > 3 && /[A-Z]/.test(vin) ? vin : null;
}
