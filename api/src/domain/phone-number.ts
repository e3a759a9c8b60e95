import { type NumberType, parsePhoneNumberFromString } from 'libphonenumber-js/max';

/** They cost whoever texts or calls them, or nobody reads texts there. */
const noPhones: ReadonlySet<NumberType> = new Set(['PREMIUM_RATE', 'SHARED_COST', 'TOLL_FREE', 'UAN', 'VOICEMAIL']);

/**
 * A number as E.164, of the US where no country is said; null for what can't be a phone that gets texts.
 * Source: ITU-T E.164 and the numbering plans in libphonenumber's metadata.
 */
export function toPhoneNumber(typed: string): string | null {
  const number = parsePhoneNumberFromString(typed, { defaultCountry: 'US', extract: false });
  if (!number?.isValid() || number.ext !== undefined || noPhones.has(number.getType())) return null;
  return number.number;
}

/** Whether two spellings are one number; what is no number is the same only letter by letter. */
export function isSamePhone(a: string | null, b: string | null): boolean {
  if (a === b) return true;
  if (a === null || b === null) return false;
  const number = toPhoneNumber(a);
  return number !== null && number === toPhoneNumber(b);
}

/** '+1 ••• ••• 0123': enough to know one's own number by. */
export function maskedPhone(phone: string): string {
  return `••• ${phone.slice(-4)}`;
}
