/** Hashes numbers to 32 bits, the same on every machine. */
export function hash(...parts: readonly number[]): number {
  let state = 0x9e3779b9;
  for (const part of parts) {
    for (const word of [part >>> 0, Math.floor(part / 2 ** 32) >>> 0]) {
      state = Math.imul(state ^ word, 0x85ebca6b);
      state = Math.imul(state ^ (state >>> 13), 0xc2b2ae35);
      state = (state ^ (state >>> 16)) + 0x6d2b79f5;
    }
  }
  return state >>> 0;
}

/** Random numbers that depend only on the seed and their order. */
export class Dice {
  private state: number;

  constructor(...seed: readonly number[]) {
    this.state = hash(...seed);
  }

  /** From 0 up to 1. Source: mulberry32, public domain. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** A whole number; both bounds are included. */
  whole(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from + 1));
  }

  between(from: number, to: number): number {
    return from + this.next() * (to - from);
  }

  /** About a normal distribution around 0, between -1 and 1. */
  bell(): number {
    return (this.next() + this.next() + this.next()) / 1.5 - 1;
  }

  pick<T>(list: readonly [T, ...T[]]): T {
    return list[Math.floor(this.next() * list.length)] ?? list[0];
  }

  /** The first element of a pair, in proportion to its weight. */
  weighted<T>(pairs: readonly [readonly [T, number], ...(readonly [T, number])[]]): T {
    let left = this.next() * pairs.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [value, weight] of pairs) {
      left -= weight;
      if (left < 0) return value;
    }
    return pairs[0][0];
  }
}
