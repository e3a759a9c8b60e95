/** The share of a normal distribution that is further from its middle than z, on both sides (Numerical Recipes' erfc). */
function beyond(z: number): number {
  const x = Math.abs(z) / Math.SQRT2;
  const t = 1 / (1 + x / 2);
  const terms = [
    -1.26551223, 1.00002368, 0.37409196, 0.09678418, -0.18628806, 0.27886807, -1.13520398, 1.48851587, -0.82215223,
    0.17087277,
  ];
  return t * Math.exp(-x * x + terms.reduceRight((sum, term) => sum * t + term, 0));
}

/**
 * How likely two samples of one distribution are at least as far apart as these: the two-sided p of the Mann–Whitney U
 * test, by the normal approximation with corrections for ties and continuity.
 */
export function mannWhitneyP(one: readonly number[], other: readonly number[]): number {
  const all = [...one.map((value) => ({ value, isOne: true })), ...other.map((value) => ({ value, isOne: false }))];
  all.sort((a, b) => a.value - b.value);
  const [n, m] = [one.length, other.length];
  let ranksOfOne = 0;
  let ties = 0;
  for (let start = 0; start < all.length; ) {
    let end = start + 1;
    while (end < all.length && all[end]?.value === all[start]?.value) end += 1;
    const same = end - start;
    ranksOfOne += all.slice(start, end).filter(({ isOne }) => isOne).length * ((start + 1 + end) / 2);
    ties += same ** 3 - same;
    start = end;
  }
  const u = ranksOfOne - (n * (n + 1)) / 2;
  const spread = Math.sqrt(((n * m) / 12) * (n + m + 1 - ties / ((n + m) * (n + m - 1))));
  if (!(spread > 0)) return 1;
  return Math.min(1, beyond(Math.max(0, Math.abs(u - (n * m) / 2) - 0.5) / spread));
}
