import { setTimeout as sleep } from 'node:timers/promises';
import { dueSources, LeaseLost, untilNextPoll } from '../../sources/claim-source.ts';
import type { Job } from '../job.ts';
import { type PollDeps, pollSource } from './poll-source.ts';

/** How many sources are read concurrently; each holds a connection while it stores. */
const CONCURRENCY = 8;
/** Slots reserved for sources that were read quickly last time. */
const RESERVED_FOR_QUICK = 2;
/** The most slots that sources known to be slow may hold. */
const MOST_SLOW = 4;
/** A longer read waits for a slow server or reads megabytes. */
const SLOW_MS = 3000;

type Speed = 'quick' | 'slow';

/**
 * Limits how many sources are read concurrently, so that sources that hang or are huge don't hold up the quick ones. The
 * duration of the last read classifies a source; a source that was not read before is in neither class.
 */
export class PollLimit {
  private readonly running = new Map<string, { poll: Promise<void>; since: number }>();
  private readonly speeds = new Map<string, Speed>();

  isRunning(name: string): boolean {
    return this.running.has(name);
  }

  /** Removes and returns the first source of `waiting` that may be read now; undefined when none may. */
  take(waiting: string[]): string | undefined {
    const free = CONCURRENCY - this.running.size;
    const slow = [...this.running].filter(([name, { since }]) => this.isSlow(name, since)).length;
    const index = waiting.findIndex((name) => {
      const speed = this.speeds.get(name);
      return free > (speed === 'quick' ? 0 : RESERVED_FOR_QUICK) && (speed !== 'slow' || slow < MOST_SLOW);
    });
    return index < 0 ? undefined : waiting.splice(index, 1)[0];
  }

  private isSlow(name: string, since: number): boolean {
    return this.speeds.get(name) === 'slow' || performance.now() - since > SLOW_MS;
  }

  /** @param poll never rejects */
  add(name: string, poll: Promise<void>): void {
    const since = performance.now();
    const ended = poll.then(() => {
      this.running.delete(name);
      this.speeds.set(name, performance.now() - since > SLOW_MS ? 'slow' : 'quick');
    });
    this.running.set(name, { poll: ended, since });
  }

  /** Resolves when the next read ends. */
  async oneEnds(): Promise<void> {
    await Promise.race([...this.running.values()].map(({ poll }) => poll));
  }
}

const PATIENCE_MS = 3000;

/** The reads that each worker has under way. */
const limits = new WeakMap<PollDeps, PollLimit>();

/**
 * Reads every source that is due, with a concurrency limit. It doesn't wait longer than a few seconds for slow reads,
 * which continue in the background. Calls may overlap: each source is read by one of them.
 * @returns how many sources were read
 */
export async function pollDueSources(deps: PollDeps): Promise<number> {
  const limit = limits.get(deps) ?? new PollLimit();
  limits.set(deps, limit);
  const waiting = (await dueSources(deps.pool)).filter((name) => !limit.isRunning(name));
  const mine = new Set<string>();
  let polled = 0;
  const start = (name: string) => {
    mine.add(name);
    const poll = pollSource(deps, name)
      .then((done) => {
        if (done) polled += 1;
      })
      .catch((error: unknown) => {
        if (error instanceof LeaseLost) deps.log.warn('lease lost', { source: name });
        else if (!deps.signal?.aborted) deps.log.error('poll failed', { source: name, error });
      })
      .finally(() => mine.delete(name));
    limit.add(name, poll);
  };
  let patient = true;
  const patience = new AbortController();
  const outOfPatience = sleep(PATIENCE_MS, undefined, { signal: patience.signal, ref: false }).then(
    () => {
      patient = false;
    },
    () => {},
  );
  while (patient && !deps.signal?.aborted && (waiting.length > 0 || mine.size > 0)) {
    for (let name = limit.take(waiting); name !== undefined; name = limit.take(waiting)) start(name);
    await Promise.race([outOfPatience, limit.oneEnds()]);
  }
  patience.abort();
  return polled;
}

/** Reads the sources that are due. */
export const pollSourcesJob: Job<PollDeps> = {
  name: 'poll-sources',
  everyMs: 5_000,
  async run(deps) {
    await pollDueSources(deps);
    return { nextInMs: await untilNextPoll(deps.pool) };
  },
};
