import { createRequire } from 'node:module';
import type * as Phones from 'libphonenumber-js/max';
import { whenUsed } from '../base/when-used.ts';

const require = createRequire(import.meta.url);
/** The numbering plans of the world. */
const plans = whenUsed(() => require('libphonenumber-js/max') as typeof Phones);

/** Numbers that charge the sender, or at which nobody reads texts. */
const refusedTypes: ReadonlySet<Phones.NumberType> = new Set([
  'PREMIUM_RATE',
  'SHARED_COST',
  'TOLL_FREE',
  'UAN',
  'VOICEMAIL',
]);

/**
 * The number in E.164 format, or null if it can't receive texts. Without a country code it is a US number.
 * Source: ITU-T E.164 and the numbering plans in libphonenumber's metadata.
 */
export function toPhoneNumber(typed: string): string | null {
  const number = plans().parsePhoneNumberFromString(typed, { defaultCountry: 'US', extract: false });
  if (!number?.isValid() || number.ext !== undefined || refusedTypes.has(number.getType())) return null;
  return number.number;
}

/** The ISO 3166 code of a number's country; null where it belongs to none. @param phone in E.164 */
export function countryOf(phone: string): string | null {
  return plans().parsePhoneNumberFromString(phone)?.country ?? null;
}

/** 'United States and Canada' @param countries ISO 3166 codes */
export function countryNames(countries: readonly string[]): string {
  const names = new Intl.DisplayNames(['en'], { type: 'region' });
  return new Intl.ListFormat('en', { type: 'conjunction' }).format(countries.map((code) => names.of(code) ?? code));
}

/** Whether two texts are the same number. Texts that are no numbers must be equal. */
export function isSamePhone(a: string | null, b: string | null): boolean {
  if (a === b) return true;
  if (a === null || b === null) return false;
  const number = toPhoneNumber(a);
  return number !== null && number === toPhoneNumber(b);
}

/** The last four digits, like '••• 0123', by which users recognise their own number. */
export function maskedPhone(phone: string): string {
  return `••• ${phone.slice(-4)}`;
}
