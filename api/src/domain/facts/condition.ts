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
