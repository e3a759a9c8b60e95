/** What a run returns: when there will be work again, if it knows. */
export interface RunOutcome {
  /** Milliseconds until something is due; the runner then runs by itself, ahead of the schedule. */
  nextInMs?: number | null;
}

/** A NOTIFY after which the job runs at once; without `payload`, every NOTIFY on the channel wakes it. */
export interface WakeUp {
  channel: string;
  payload?: string;
}

/**
 * One kind of background work. A job with `Parts` is a definition in the list of `jobs.ts`; `bindJobs` gives it the
 * parts of a worker, after which it is a `Job` that runs without any.
 */
export interface Job<Parts = void> {
  /** Agenda's store keeps it under this name. A new name needs a migration of the stored rows, and the old one a place in `FORMER_NAMES`. */
  name: string;
  /** The schedule in milliseconds, which also finds what a crash or a lost wake-up left. */
  everyMs: number;
  wakeUp?: WakeUp | undefined;
  /** Whether a worker with these parts runs it. Without it every worker does. */
  when?: (parts: Parts) => boolean;
  /** Does all work that waits. It guards its own effects, as two processes may run it at the same time. */
  run: (parts: Parts) => Promise<RunOutcome | undefined>;
}

/** The jobs that a worker with these parts runs, each ready to run with them. */
export const bindJobs = <Parts>(jobs: readonly Job<Parts>[], parts: Parts): Job[] =>
  jobs
    .filter(({ when }) => when?.(parts) ?? true)
    .map(({ name, everyMs, wakeUp, run }) => ({ name, everyMs, wakeUp, run: () => run(parts) }));
