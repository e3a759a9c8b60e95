import { trimEnd } from '../../base/trim-end.ts';

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
