import { channels } from '../../base/channels.ts';
import type { Listener } from '../../base/listener.ts';
import type { Log } from '../../base/log.ts';
import type { Job } from '../job.ts';
import { startAgenda } from './agenda.ts';
import { makeRunner } from './runner.ts';

export interface JobsOptions {
  databaseUrl: string;
  /** Where Agenda keeps its jobs instead of PostgreSQL. */
  mongoUrl: string | undefined;
  /** How many connections Agenda opens to PostgreSQL. */
  connections?: number;
  listener: Listener;
  log: Log;
  jobs: readonly Job[];
}

/** Runs every job: at once, when NOTIFY wakes it, by Agenda's schedule, and without it when Agenda's store is gone. */
export async function startJobs(options: JobsOptions): Promise<{ close(): Promise<void> }> {
  const { listener, log, jobs } = options;
  const runners = jobs.map((job) => makeRunner(job, log, () => listener.notify(channels.sweeps, job.name)));
  const wakeAll = () => {
    for (const runner of runners) void runner.wake();
  };
  const stopListening = [
    await listener.on(channels.sweeps, (name) => {
      for (const runner of runners) if (runner.job.name === name) runner.sweptElsewhere();
    }),
    listener.onReconnect(wakeAll),
  ];
  for (const runner of runners) {
    const { wakeUp } = runner.job;
    if (!wakeUp) continue;
    const stop = await listener.on(wakeUp.channel, (payload) => {
      if (wakeUp.payload === undefined || wakeUp.payload === payload) void runner.wake();
    });
    stopListening.push(stop);
  }
  const agenda = startAgenda({ ...options, runners });
  wakeAll();
  return {
    async close() {
      for (const stop of stopListening) stop();
      await Promise.all([agenda.close(), ...runners.map((runner) => runner.stop())]);
    },
  };
}
