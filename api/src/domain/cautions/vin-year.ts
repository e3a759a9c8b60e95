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
 * The model years that a VIN may stand for: one, or two that are 30 years apart. Cars that were built for other markets
 * need no year in their VIN, so one that was made outside North America counts only with a right check digit.
 * @param vin as `readVin` returns it
 * Source: 49 CFR 565.15
 */
export function vinYears(vin: string, now: Date): number[] {
  const code = CODES.indexOf(vin[9] ?? '');
  if (code < 0 || !(/^[1-5]/.test(vin) || vin[8] === checkDigitOf(vin))) return [];
  const latest = now.getUTCFullYear() + 1;
  return [FIRST_YEAR + code, FIRST_YEAR + code + CYCLE].filter((year) => year <= latest);
}
