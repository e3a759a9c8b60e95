/** The same numbers from the same seed. Source: mulberry32. */
export function makeRandom(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Draws from random numbers between 0 and 1. */
export function makeDraws(random: () => number) {
  return {
    random,
    pick: <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T,
    /** A whole number; both bounds are included. */
    whole: (from: number, to: number): number => from + Math.floor(random() * (to - from + 1)),
    maybe: <T>(chance: number, value: () => T): T | null => (random() < chance ? value() : null),
  };
}
