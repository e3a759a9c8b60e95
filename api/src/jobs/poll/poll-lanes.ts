import { makeTurns } from '../../base/turns.ts';

/** How many sources are read at once; each holds a connection while it stores. */
const PARALLEL = 8;
/** Places that only those have that were read within moments last time. */
const FOR_QUICK = 2;
/** Places that those may hold of which it is known that they take long. */
const FOR_LONG = 4;
/** A read that takes longer is one of those that wait for slow servers or go through megabytes. */
const LONG_MS = 3000;

const LARGE_BYTES = 8 * 1024 * 1024;
/** What goes through a large body keeps ids and half-made records of it in memory. */
const largeInTurn = makeTurns(1);

/** Runs what goes through a body: one large one of the process at a time, small ones at once. */
export const bySize = <T>(bytes: number, work: () => Promise<T>): Promise<T> =>
  bytes > LARGE_BYTES ? largeInTurn(work) : work();

type Pace = 'quick' | 'long';

/**
 * Which sources may be read now: however many of them hang or are huge, those that take moments are not held up. What
 * each took last time tells; an unknown one is taken for neither.
 */
export class PollLanes {
  private readonly running = new Map<string, { poll: Promise<void>; since: number }>();
  private readonly paces = new Map<string, Pace>();

  isRunning(name: string): boolean {
    return this.running.has(name);
  }

  /** Takes the first that may begin out of `waiting`, undefined when none may. */
  take(waiting: string[]): string | undefined {
    const free = PARALLEL - this.running.size;
    const long = [...this.running].filter(([name, { since }]) => this.isLong(name, since)).length;
    const index = waiting.findIndex((name) => {
      const pace = this.paces.get(name);
      return free > (pace === 'quick' ? 0 : FOR_QUICK) && (pace !== 'long' || long < FOR_LONG);
    });
    return index < 0 ? undefined : waiting.splice(index, 1)[0];
  }

  private isLong(name: string, since: number): boolean {
    return this.paces.get(name) === 'long' || performance.now() - since > LONG_MS;
  }

  /** @param poll never fails */
  begin(name: string, poll: Promise<void>): void {
    const since = performance.now();
    const ended = poll.then(() => {
      this.running.delete(name);
      this.paces.set(name, performance.now() - since > LONG_MS ? 'long' : 'quick');
    });
    this.running.set(name, { poll: ended, since });
  }

  /** Resolves when the next one ends. */
  async oneEnds(): Promise<void> {
    await Promise.race([...this.running.values()].map(({ poll }) => poll));
  }
}
