import type { Log } from '../../base/log.ts';

/** What one run tells: when there will be work again, if it knows. */
export interface RunOutcome {
  /** Milliseconds until something is due; the runner then runs by itself, ahead of the schedule. */
  nextInMs?: number | null;
}

export interface Job {
  name: string;
  /** The schedule, which is also the sweep after a crash or a lost wake-up. */
  everyMs: number;
  /** Does all work that waits; guards its own effects, as it may run twice at once in two processes. */
  run(): Promise<RunOutcome | undefined>;
}

export interface Runner {
  job: Job;
  /** Runs at once, or once more right after the run that is under way. Resolves when that run has ended. */
  wake(): Promise<void>;
  /** The same by schedule, for all processes: the others are told, so that they need not run it as well. */
  sweep(): Promise<void>;
  /** Another process runs it by schedule. */
  heard(): void;
  /** No further run starts; resolves when none is under way. */
  stop(): Promise<void>;
}

const FAILED_AGAIN_MS = 1_000;
/** After so many intervals without a run the schedule is taken for gone; processes differ, so that one comes first. */
const OVERDUE_AFTER = { least: 1.5, most: 2 };

/**
 * Runs a job one at a time in this process: by schedule, when woken, when its own work falls due, and when nobody has
 * run it for longer than the schedule would leave it, as the store that keeps the schedule may be gone.
 * @param tellOthers says to all processes that the job is run by schedule
 */
export function makeRunner(job: Job, log: Log, tellOthers: () => void = () => {}): Runner {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  let due: NodeJS.Timeout | undefined;
  let overdue: NodeJS.Timeout | undefined;
  let stopped = false;

  function clearTimers(): void {
    clearTimeout(due);
    clearTimeout(overdue);
  }

  function wakeIn(delayMs: number): void {
    if (!stopped) due = setTimeout(() => void wake(), delayMs);
  }

  function sweepWhenOverdue(): void {
    clearTimeout(overdue);
    const { least, most } = OVERDUE_AFTER;
    const intervals = least + (most - least) * Math.random();
    if (!stopped) overdue = setTimeout(() => void sweep(), job.everyMs * intervals);
  }

  async function once(): Promise<void> {
    clearTimers();
    try {
      const outcome = await job.run();
      const nextInMs = outcome?.nextInMs;
      if (nextInMs != null) wakeIn(Math.min(nextInMs, job.everyMs));
    } catch (error) {
      // Rolled back by whatever it was.
      log.error(`${job.name} failed`, { error });
      wakeIn(FAILED_AGAIN_MS);
    }
    sweepWhenOverdue();
  }

  function wake(): Promise<void> {
    if (stopped) return running ?? Promise.resolve();
    if (!running) {
      running = once().finally(() => {
        running = undefined;
      });
      return running;
    }
    next ??= running.then(() => {
      next = undefined;
      return wake();
    });
    return next;
  }

  function sweep(): Promise<void> {
    if (!stopped) tellOthers();
    return wake();
  }

  return {
    job,
    wake,
    sweep,
    heard() {
      if (!running) sweepWhenOverdue();
    },
    async stop() {
      stopped = true;
      clearTimers();
      await running;
    },
  };
}
