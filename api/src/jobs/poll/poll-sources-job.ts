import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../base/log.ts';
import { type ClaimedSource, dueSources, LeaseLost, untilNextPoll, withSource } from '../../sources/claim-source.ts';
import {
  backoffSeconds,
  recordFailure,
  recordInternalFault,
  recordPause,
  recordSuccess,
} from '../../sources/record-poll.ts';
import { isSourceFault, retryAfterOf } from '../../sources/source-page.ts';
import type { Job } from '../job.ts';
import { doubtEmpty } from './first-read.ts';
import { readSource } from './read-source.ts';
import type { ReadDeps } from './store-records.ts';

export interface PollDeps extends ReadDeps {
  log: Log;
  /** From 0 up to 1, for the jitter. */
  random?: () => number;
  /** How long a claim lasts, in milliseconds, unless its worker renews it. */
  leaseMs?: number;
}

async function poll(source: ClaimedSource, deps: PollDeps, lost: AbortSignal): Promise<void> {
  const { pool } = deps;
  const { name, settings } = source;
  const signal = AbortSignal.any([lost, ...(deps.signal ? [deps.signal] : [])]);
  try {
    const read = await readSource(source, { ...deps, signal });
    if ('againInSeconds' in read) return await recordPause(pool, source, read);
    await recordSuccess(pool, source, await doubtEmpty(source, pool, read));
    if (source.failures > 0) deps.log.info('source can be read again', { source: name, failures: source.failures });
  } catch (error) {
    if (lost.aborted) throw lost.reason;
    if (!isSourceFault(error)) {
      if (error instanceof LeaseLost) throw error;
      // When the database is down this fails too; the original error is thrown in any case.
      if (!deps.signal?.aborted) await recordInternalFault(pool, source).catch(() => {});
      throw error;
    }
    const failures = source.failures + 1;
    const retryAfterSeconds = retryAfterOf(error);
    const delaySeconds = backoffSeconds(
      { everySeconds: settings.everySeconds, failures, retryAfterSeconds },
      (deps.random ?? Math.random)(),
    );
    await recordFailure(pool, source, { message: error.message, delaySeconds });
    deps.log.warn('source failed', { source: name, error: error.message, failures, againInSeconds: delaySeconds });
  }
}

/**
 * Reads one source if it is due and no other worker reads it: fetches, parses and stores page after page. A fault of the
 * source is recorded on its row.
 * @returns whether it was read
 * @throws LeaseLost when another worker has claimed the source
 */
export async function pollSource(deps: PollDeps, name: string): Promise<boolean> {
  const read = async (source: ClaimedSource, lost: AbortSignal) => {
    await poll(source, deps, lost);
    return true;
  };
  return (await withSource(deps.pool, name, read, deps.leaseMs)) ?? false;
}

/** How many sources are read concurrently; each holds a connection while it stores. */
const CONCURRENCY = 8;
/** Slots reserved for sources that were read quickly last time. */
const RESERVED_FOR_QUICK = 2;
/** The most slots that sources known to be slow may hold. */
const MAX_SLOW = 4;
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
      return free > (speed === 'quick' ? 0 : RESERVED_FOR_QUICK) && (speed !== 'slow' || slow < MAX_SLOW);
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

const TIMEOUT_MS = 3000;

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
  let isTimedOut = false;
  const done = new AbortController();
  const timeout = sleep(TIMEOUT_MS, undefined, { signal: done.signal, ref: false }).then(
    () => {
      isTimedOut = true;
    },
    () => {},
  );
  while (!isTimedOut && !deps.signal?.aborted && (waiting.length > 0 || mine.size > 0)) {
    for (let name = limit.take(waiting); name !== undefined; name = limit.take(waiting)) start(name);
    await Promise.race([timeout, limit.oneEnds()]);
  }
  done.abort();
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
