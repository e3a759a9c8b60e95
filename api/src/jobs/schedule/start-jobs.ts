import { channels } from '../../base/channels.ts';
import type { Listener } from '../../base/listener.ts';
import type { Log } from '../../base/log.ts';
import { startAgenda } from './agenda.ts';
import { type Job, makeRunner } from './runner.ts';

export interface JobsOptions {
  databaseUrl: string;
  mongoUrl: string | undefined;
  /** Of Agenda's to PostgreSQL. */
  connections?: number;
  listener: Listener;
  log: Log;
  jobs: readonly Job[];
  /** Which jobs a payload of the work channel wakes. */
  wakes: Readonly<Record<string, Job | readonly Job[]>>;
  /** Woken by whatever is told of matches. */
  onMatches?: Job;
}

/** Runs every job: at once, when NOTIFY wakes it, by Agenda's schedule, and without it when its store is gone. */
export async function startJobs(options: JobsOptions): Promise<{ close(): Promise<void> }> {
  const { listener, log, jobs, wakes } = options;
  const runners = new Map(
    jobs.map((job) => [job, makeRunner(job, log, () => listener.notify(channels.sweeps, job.name))]),
  );
  const wakeAll = () => {
    for (const runner of runners.values()) void runner.wake();
  };
  const stopListening = await listener.on(channels.work, (payload) => {
    for (const job of [wakes[payload] ?? []].flat()) void runners.get(job)?.wake();
  });
  const stopMatches = await listener.on(channels.matches, () => {
    if (options.onMatches) void runners.get(options.onMatches)?.wake();
  });
  const stopSweeps = await listener.on(channels.sweeps, (name) => {
    for (const runner of runners.values()) if (runner.job.name === name) runner.heard();
  });
  const stopReconnect = listener.onReconnect(wakeAll);
  const agenda = startAgenda({ ...options, runners: [...runners.values()] });
  wakeAll();
  return {
    async close() {
      stopListening();
      stopMatches();
      stopSweeps();
      stopReconnect();
      await Promise.all([agenda.close(), ...[...runners.values()].map((runner) => runner.stop())]);
    },
  };
}
