import { makesOf, seriesOf } from './vin-makers.ts';

/** The letters and digits for model years from 1980, which come again after 30 years. */
const CODES = 'ABCDEFGHJKLMNPRSTVWXY123456789';
const FIRST_YEAR = 1980;
const CYCLE = CODES.length;

const WEIGHTS = [8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2];
const LETTERS = 'ABCDEFGHJKLMNPRSTUVWXYZ';

/** The value of a character in the sum of the check digit. */
function digitOf(character: string): number {
  if (/\d/.test(character)) return Number(character);
  const at = LETTERS.indexOf(character);
  // A to H are 1 to 8, J to R 1 to 9 without 6 and 8, S to Z 2 to 9.
  return [1, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4, 5, 7, 9, 2, 3, 4, 5, 6, 7, 8, 9][at] ?? 0;
}

/** The ninth character by all others, which a slip of the pen in any of them is likely to change. @param vin 17 characters */
export function checkDigitOf(vin: string): string {
  const sum = [...vin].reduce((total, character, at) => total + digitOf(character) * (WEIGHTS[at] ?? 0), 0);
  return sum % 11 === 10 ? 'X' : String(sum % 11);
}

/** The tenth character of the VIN of a model year. @param year from 1980 */
export const yearCodeOf = (year: number): string => CODES.charAt((year - FIRST_YEAR) % CYCLE);

/**
 * The model years that the tenth character may stand for. In cars and light trucks the seventh is a letter from 2010 on
 * and a digit before; heavier ones and those of makers that we don't know may have either. @param latest the last year
 */
function yearsOf(vin: string, isLight: boolean, latest: number): number[] {
  const code = CODES.indexOf(vin[9] ?? '');
  if (code < 0) return [];
  const years = [FIRST_YEAR + code, FIRST_YEAR + code + CYCLE].filter((year) => year <= latest);
  const isLate = /[A-Z]/.test(vin[6] ?? '');
  return isLight ? years.filter((year) => year >= FIRST_YEAR + CYCLE === isLate) : years;
}

/** What a VIN says about its car. */
export interface DecodedVin {
  /** The model years that it may stand for: one, or two that are 30 years apart; none if its code for the year is none. */
  years: readonly number[];
  /** Slugs of the makes that its maker builds; none if they are not known. */
  makes: readonly string[];
  /** Slugs of the models that it may be, of the one make; none if they are not known. */
  models: readonly string[];
}

/**
 * Decodes a VIN by the public rules for cars that are sold in North America. Null where the check digit is wrong, since a
 * slip of the pen may be in any character then, and for cars of other markets, which need none.
 * @param vin as `readVin` returns it
 * Source: 49 CFR 565.15
 */
export function decodeVin(vin: string, now: Date): DecodedVin | null {
  if (vin[8] !== checkDigitOf(vin)) return null;
  const series = seriesOf(vin);
  const makes = series ? [series.make] : makesOf(vin);
  const years = yearsOf(vin, makes.length > 0, now.getUTCFullYear() + 1);
  return { years, makes, models: series?.models ?? [] };
}
