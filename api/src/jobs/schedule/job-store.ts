import type { Agenda, AgendaBackend, NotificationChannel } from 'agenda';

/** Where Agenda keeps its jobs. */
export interface JobStore {
  name: 'PostgreSQL' | 'MongoDB';
  backend: AgendaBackend;
  /** Tells Agenda of changed jobs, beside its polling. */
  notificationChannel?: NotificationChannel;
  /** Drops all connections and tries until there are new ones, where the driver does not by itself; once at a time. */
  reconnect?(signal: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

/**
 * Reports of each poll whether the store answered, and catches what Agenda calls without waiting for the answer, which would
 * end the process while the store is away.
 */
export function watchStore(
  { backend }: JobStore,
  report: (isReached: boolean) => void,
  warn: (error: unknown) => void,
) {
  const { repository } = backend;
  const poll = repository.getNextJobToRun.bind(repository);
  repository.getNextJobToRun = async (...query) => {
    try {
      const job = await poll(...query);
      report(true);
      return job;
    } catch (error) {
      report(false);
      throw error;
    }
  };
  const unlock = repository.unlockJob.bind(repository);
  // A job that stays locked is free again when its lock ends.
  repository.unlockJob = (job) => unlock(job).catch(warn);
}

/**
 * Releases the jobs that this process locked without learning of it: a store that fails, or elects another primary, may have
 * done what was asked before its answer was lost. Otherwise they wait until their locks end.
 */
export async function releaseLostLocks(agenda: Agenda): Promise<void> {
  const { name } = agenda.attrs;
  const { lockedJobs } = await agenda.getRunningStats(true);
  const held = new Set(typeof lockedJobs === 'number' ? [] : lockedJobs.map(({ _id }) => String(_id)));
  const { jobs } = await agenda.db.queryJobs();
  const lost = jobs.filter((job) => job.lastModifiedBy === name && job.lockedAt && !held.has(String(job._id)));
  await agenda.db.unlockJobs(lost.flatMap(({ _id }) => _id ?? []));
}
