import type { Log } from '../../base/log.ts';
import { measured } from '../../base/measured.ts';
import { newRequestId, withRequestId } from '../../base/request-id.ts';
import { traced } from '../../base/traced.ts';
import type { Job } from '../job.ts';

export interface Runner {
  job: Job;
  /** Runs at once, or once more right after the run that is under way. Resolves when that run has ended. */
  wake(): Promise<void>;
  /** Runs by schedule, for all processes: it notifies the others, so that they need not run the job as well. */
  runScheduled(): Promise<void>;
  /** To be called when another process runs the job by schedule. */
  scheduledRunElsewhere(): void;
  /** No further run starts; resolves when none is under way. */
  stop(): Promise<void>;
}

const RETRY_MS = 1_000;
/**
 * After this many intervals without a run the schedule is assumed to be gone. The number is random between the two, so
 * that one process comes before the others.
 */
const OVERDUE_AFTER = { least: 1.5, most: 2 };

/**
 * Makes the runner of a job, which runs it one at a time in this process: by schedule, when woken, when its own work falls
 * due, and when no process has run it for longer than its schedule allows, as the store of the schedule may be gone.
 * @param notifyOthers notifies all processes that the job is run by schedule
 */
export function makeRunner(job: Job, log: Log, notifyOthers: () => void = () => {}): Runner {
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

  function runWhenOverdue(): void {
    clearTimeout(overdue);
    const { least, most } = OVERDUE_AFTER;
    const intervals = least + (most - least) * Math.random();
    if (!stopped) overdue = setTimeout(() => void runScheduled(), job.everyMs * intervals);
  }

  async function once(): Promise<void> {
    clearTimers();
    const begun = performance.now();
    let isFailed = false;
    try {
      const work = { name: job.name, kind: 'consumer', attributes: {} } as const;
      const outcome = await traced(work, () => job.run());
      const nextInMs = outcome?.nextInMs;
      if (nextInMs != null) wakeIn(Math.min(nextInMs, job.everyMs));
    } catch (error) {
      // The job has rolled back its own transaction.
      log.error(`${job.name} failed`, { error });
      isFailed = true;
      wakeIn(RETRY_MS);
    }
    measured('job', { job: job.name, seconds: (performance.now() - begun) / 1000, isFailed });
    runWhenOverdue();
  }

  function wake(): Promise<void> {
    if (stopped) return running ?? Promise.resolve();
    if (!running) {
      running = withRequestId(newRequestId(), once).finally(() => {
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

  function runScheduled(): Promise<void> {
    if (!stopped) notifyOthers();
    return wake();
  }

  return {
    job,
    wake,
    runScheduled,
    scheduledRunElsewhere() {
      if (!running) runWhenOverdue();
    },
    async stop() {
      stopped = true;
      clearTimers();
      await running;
    },
  };
}
