/** Random numbers from a seed: the same run can be had again. */
export function makeRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The same in another order, with every third or so a second and third time. */
export function shuffledWithRepeats<T>(all: readonly T[], random: () => number): T[] {
  const repeated = all.flatMap((one) =>
    Array.from({ length: random() < 0.35 ? 1 + Math.ceil(random() * 2) : 1 }, () => one),
  );
  for (let at = repeated.length - 1; at > 0; at -= 1) {
    const other = Math.floor(random() * (at + 1));
    [repeated[at], repeated[other]] = [repeated[other] as T, repeated[at] as T];
  }
  return repeated;
}
