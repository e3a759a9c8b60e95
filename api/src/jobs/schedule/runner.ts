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
  /** No further run starts; resolves when none is under way. */
  stop(): Promise<void>;
}

const FAILED_AGAIN_MS = 1_000;

/** Runs a job one at a time in this process: by schedule, when woken, and when its own work falls due. */
export function makeRunner(job: Job, log: Log): Runner {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;

  async function once(): Promise<void> {
    clearTimeout(timer);
    try {
      const outcome = await job.run();
      const nextInMs = outcome?.nextInMs;
      if (nextInMs != null && !stopped) timer = setTimeout(() => void wake(), Math.min(nextInMs, job.everyMs));
    } catch (error) {
      // Rolled back by whatever it was. The store that keeps the schedule may be gone as well.
      log.error(`${job.name} failed`, { error });
      if (!stopped) timer = setTimeout(() => void wake(), FAILED_AGAIN_MS);
    }
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

  return {
    job,
    wake,
    async stop() {
      stopped = true;
      clearTimeout(timer);
      await running;
    },
  };
}
