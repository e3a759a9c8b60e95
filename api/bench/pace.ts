const PASSES = 7;

/**
 * How many of the inputs are answered a second: the best of several passes, after one to warm up,
 * since other work on the machine only ever makes a pass slower.
 */
export function perSecond<T>(inputs: readonly T[], answer: (input: T) => unknown): number {
  let best = Number.POSITIVE_INFINITY;
  for (let pass = 0; pass <= PASSES; pass++) {
    const started = performance.now();
    for (const input of inputs) answer(input);
    if (pass > 0) best = Math.min(best, performance.now() - started);
  }
  return Math.floor((inputs.length * 1000) / best);
}

/** The input that takes longest, and how long in ms: of each the best of several tries, against pauses from outside. */
export function slowest<T>(inputs: readonly T[], answer: (input: T) => unknown): { input: T | null; ms: number } {
  let worst: { input: T | null; ms: number } = { input: null, ms: 0 };
  for (const input of inputs) {
    let best = Number.POSITIVE_INFINITY;
    for (let pass = 0; pass < PASSES; pass++) {
      const started = performance.now();
      answer(input);
      best = Math.min(best, performance.now() - started);
    }
    if (best > worst.ms) worst = { input, ms: best };
  }
  return worst;
}
