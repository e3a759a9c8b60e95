import { readVin } from '../facts/facts-from-text.ts';
import { checkDigitOf } from '../vin/decode-vin.ts';
import type { Found } from './found.ts';
import { type SellerText, wordAt } from './seller-text.ts';

/** The VIN that a text states. Only a right check digit tells it from other codes; different ones state none. */
export function readTextVin(text: SellerText): Found<string> | null {
  let found: Found<string> | null = null;
  for (const index of text.found.vin) {
    const vin = readVin(wordAt(text, index));
    if (vin === null || vin[8] !== checkDigitOf(vin)) continue;
    if (found && found.value !== vin) return null;
    found = { value: vin, from: index, to: index + 1 };
  }
  return found;
}
