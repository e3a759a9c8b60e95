/** Automatic or manual, as far as a text says; a CVT or dual clutch shifts by itself. */
export function readTransmission(text: string): 'automatic' | 'manual' | null {
  const plain = text.slice(0, 100).toLowerCase();
  if (/auto|cvt|dct|dual.clutch|continuously|tiptronic|dsg/.test(plain)) return 'automatic';
  return /manual|stick|standard/.test(plain) ? 'manual' : null;
}
