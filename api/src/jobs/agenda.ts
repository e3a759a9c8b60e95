import { MongoBackend } from '@agendajs/mongo-backend';
import { PostgresBackend } from '@agendajs/postgres-backend';
import { Agenda } from 'agenda';
import type { Log } from '../base/log.ts';
import type { Runner } from './runner.ts';

export interface AgendaOptions {
  databaseUrl: string;
  /** Where the jobs are kept instead of PostgreSQL. */
  mongoUrl: string | undefined;
  runners: Runner[];
  log: Log;
}

/** After this long a job whose worker died is anybody's again. */
const LOCK_LIFETIME_MS = 60_000;
const DRAIN_MS = 10_000;

/**
 * Schedules every job in Agenda. Jobs run at least once, and with a store that locks badly several times at once:
 * what must happen once is guarded by the database, never by the schedule.
 */
export async function startAgenda({
  databaseUrl,
  mongoUrl,
  runners,
  log,
}: AgendaOptions): Promise<{ close(): Promise<void> }> {
  const backend = mongoUrl
    ? new MongoBackend({ address: mongoUrl, collection: 'agenda_jobs' })
    : new PostgresBackend({
        poolConfig: { connectionString: databaseUrl, max: 4, application_name: 'lotwatch-agenda' },
        ensureSchema: false,
      });
  const agenda = new Agenda({
    backend,
    processEvery: 1000,
    defaultConcurrency: 1,
    defaultLockLimit: 1,
    defaultLockLifetime: LOCK_LIFETIME_MS,
  });
  agenda.on('error', (error: unknown) => log.error('Agenda failed', { error }));
  await agenda.ready;
  for (const runner of runners) agenda.define(runner.job.name, () => runner.wake());
  await agenda.start();
  for (const runner of runners) {
    await agenda.every(`${runner.job.everyMs / 1000} seconds`, runner.job.name, undefined, { skipImmediate: true });
  }
  return {
    async close() {
      await agenda.drain(DRAIN_MS);
    },
  };
}
