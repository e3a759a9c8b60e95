import type ts from 'typescript';

/** Chooses one of several ways for a node of the program; the same node is always chosen for in the same way. */
export type Choose = (of: ts.Node, count: number) => number;

/** Thrown where the choices contradict each other. */
export class Contradiction extends Error {}
/** Thrown where a value can be made in more ways than are looked at. */
export class TooManyWays extends Error {}
/** Thrown by a choice where none may be made. */
class Undecided extends Error {}

const MAX_WAYS = 500;

interface Choice {
  of: ts.Node;
  index: number;
  count: number;
}

/** The choices of one way: those of the way before, with the last one changed that could be. */
export class DecisionPath {
  readonly #given: readonly number[];
  readonly #taken: Choice[] = [];
  #isDecided = false;

  constructor(given: readonly number[] = []) {
    this.#given = given;
  }

  readonly choose: Choose = (of, count) => {
    const known = this.#taken.find((choice) => choice.of === of);
    if (known) return known.index;
    if (this.#isDecided) throw new Undecided();
    const index = this.#given[this.#taken.length] ?? 0;
    this.#taken.push({ of, index, count });
    return index;
  };

  /** Runs `work`, or returns undefined where it would have to choose. */
  withoutChoice<T>(work: () => T): T | undefined {
    const before = this.#isDecided;
    this.#isDecided = true;
    try {
      return work();
    } catch (error) {
      if (error instanceof Undecided) return undefined;
      throw error;
    } finally {
      this.#isDecided = before;
    }
  }

  next(): DecisionPath | null {
    const last = this.#taken.findLastIndex(({ index, count }) => index + 1 < count);
    if (last < 0) return null;
    const given = this.#taken.slice(0, last + 1).map(({ index }) => index);
    given[last] = (given[last] ?? 0) + 1;
    return new DecisionPath(given);
  }
}

/** Runs `work` once for each way in which its choices can be made. @throws Error where there are too many */
export function everyPath<T>(work: (way: DecisionPath) => T): T[] {
  const results: T[] = [];
  for (let way: DecisionPath | null = new DecisionPath(); way; way = way.next()) {
    try {
      results.push(work(way));
    } catch (error) {
      if (!(error instanceof Contradiction)) throw error;
    }
    if (results.length > MAX_WAYS) throw new TooManyWays('A value can be made in too many ways.');
  }
  return results;
}
