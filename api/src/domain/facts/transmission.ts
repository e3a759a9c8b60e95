/** Automatic or manual, as far as a text says; a CVT or dual clutch shifts by itself. */
export function readTransmission(text: string): 'automatic' | 'manual' | null {
  const plain = text.slice(0, 100).toLowerCase();
  if (/auto|cvt|dct|dual.clutch|continuously|tiptronic|dsg|a\/t|\d\s?at\b/.test(plain)) return 'automatic';
  return /manual|stick|standard|m\/t|\d\s?mt\b/.test(plain) ? 'manual' : null;
}
