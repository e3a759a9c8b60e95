import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { PostgresBackend } from '@agendajs/postgres-backend';
import { Agenda, type AgendaBackend, type Job as AgendaJob } from 'agenda';
import { channels } from '../../base/channels.ts';
import { makePool } from '../../base/database.ts';
import type { DatabaseAddress } from '../../base/database-address.ts';
import type { Listener } from '../../base/listener.ts';
import type { Log } from '../../base/log.ts';
import { measured } from '../../base/measured.ts';
import type { Job } from '../job.ts';
import { type JobStore, releaseLostLocks, watchStore } from './job-store.ts';
import { makeRunner, type Runner } from './runner.ts';

export interface AgendaOptions {
  database: DatabaseAddress;
  /** Where the jobs are kept instead of PostgreSQL. */
  mongoUrl: string | undefined;
  /** To PostgreSQL; none is opened while the jobs are in MongoDB. */
  connections?: number;
  runners: Runner[];
  log: Log;
  /** Called when the store is reached, is not reached any more, or is reached again. */
  onStore?: ((isReached: boolean) => void) | undefined;
}

/** Names that jobs no longer have. A store in PostgreSQL has none of them since migration 039. */
const FORMER_NAMES = ['look-back', 'settle-payments'];
/** After this long another worker may run a job whose worker died. */
const LOCK_LIFETIME_MS = 20_000;
const CONNECTIONS = 4;
const DRAIN_MS = 10_000;
/** How soon the store is asked again after a failure. */
const RETRY_MS = 1_000;
/** A store that is gone for so long gets new connections, in case its driver waits for an answer that never comes. */
const RECONNECT_MS = 20_000;
const WARN_EVERY_MS = 30_000;

/** Makes a logger that warns every 30 s at most, as a store that is gone fails every poll of every job. */
function throttleWarning(log: Log): (error: unknown) => void {
  let warnedAt = Number.NEGATIVE_INFINITY;
  return (error) => {
    if (performance.now() - warnedAt < WARN_EVERY_MS) return;
    warnedAt = performance.now();
    log.warn('the job store is unavailable; jobs run when woken and by timers', { error });
  };
}

/** The pool is ours: Agenda's own would end the process when its server goes away. */
function makePostgresStore(database: DatabaseAddress, connections: number): JobStore {
  const pool = makePool(database, connections, 'lotwatch-agenda');
  const backend = new PostgresBackend({ pool, ensureSchema: false, disableNotifications: true });
  return { name: 'PostgreSQL', backend, close: () => pool.end() };
}

/** Agenda tries to connect once and does not handle a failure, so this repeats it until the store answers. */
function keepConnecting(backend: AgendaBackend, fail: (error: unknown) => void, signal: AbortSignal): void {
  const connect = backend.connect.bind(backend);
  backend.connect = async () => {
    while (!signal.aborted) {
      try {
        return await connect();
      } catch (error) {
        fail(error);
        await backend.disconnect().catch(() => {});
        await sleep(RETRY_MS, undefined, { signal }).catch(() => {});
      }
    }
    return new Promise(() => {});
  };
}

/**
 * Schedules every job in Agenda, as soon as its store can be reached. Jobs run at least once, and with a store that
 * locks badly several times at once, so the database guards what must happen once, never the schedule.
 */
export async function startAgenda(options: AgendaOptions): Promise<{ close(): Promise<void> }> {
  const { database, mongoUrl, runners, log } = options;
  const stopping = new AbortController();
  const warn = throttleWarning(log);
  const store = mongoUrl
    ? (await import('./mongo-store.ts')).makeMongoStore(mongoUrl, warn)
    : makePostgresStore(database, options.connections || CONNECTIONS);
  let wasReached: boolean | undefined;
  /** undefined until it was reached; the first connection is tried elsewhere. */
  let reachedAt: number | undefined;
  const report = (isReached: boolean) => {
    measured('jobStore', { store: store.name, isReached });
    if (isReached !== wasReached) options.onStore?.(isReached);
    if (isReached && wasReached === false) releaseLostLocks(agenda).catch(warn);
    const isLongGone = !isReached && reachedAt !== undefined && performance.now() - reachedAt > RECONNECT_MS;
    if (isReached || isLongGone) reachedAt = performance.now();
    if (isLongGone && !stopping.signal.aborted) store.reconnect?.(stopping.signal).catch(warn);
    wasReached = isReached;
  };
  const fail = (error: unknown) => {
    report(false);
    warn(error);
  };
  watchStore(store, report, warn);
  keepConnecting(store.backend, fail, stopping.signal);
  const agenda = new Agenda({
    backend: store.backend,
    ...(store.notificationChannel && { notificationChannel: store.notificationChannel }),
    // Names the process in each lock.
    name: `lotwatch-${randomUUID()}`,
    processEvery: 1000,
    defaultConcurrency: 1,
    defaultLockLimit: 1,
    defaultLockLifetime: LOCK_LIFETIME_MS,
  });
  agenda.on('error', warn);
  for (const runner of runners) {
    agenda.define(runner.job.name, async (job: AgendaJob) => {
      // Renews the lock, so that a long run is not taken for a dead worker.
      const alive = setInterval(() => void job.touch().catch(warn), LOCK_LIFETIME_MS / 3);
      await runner.runScheduled().finally(() => clearInterval(alive));
    });
  }

  /** Repeats a call to the store until it succeeds or the worker stops. */
  async function persist(call: () => Promise<unknown>): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        await call();
        return;
      } catch (error) {
        warn(error);
        await sleep(RETRY_MS, undefined, { signal: stopping.signal }).catch(() => {});
      }
    }
  }

  async function schedule(): Promise<void> {
    await agenda.start();
    for (const { job } of runners) {
      await persist(() => agenda.every(`${job.everyMs / 1000} seconds`, job.name, undefined, { skipImmediate: true }));
    }
    await persist(() => agenda.cancel({ names: FORMER_NAMES }));
  }

  schedule().catch((error: unknown) => log.error('Agenda could not be started', { error }));
  return {
    async close() {
      stopping.abort();
      await agenda.drain(DRAIN_MS);
      await store.close();
    },
  };
}

export interface JobsOptions {
  database: DatabaseAddress;
  /** Where Agenda keeps its jobs instead of PostgreSQL. */
  mongoUrl: string | undefined;
  /** How many connections Agenda opens to PostgreSQL. */
  connections?: number;
  listener: Listener;
  log: Log;
  jobs: readonly Job[];
  /** Called when the store of the schedule is reached, is not reached any more, or is reached again. */
  onStore?: (isReached: boolean) => void;
}

/** Runs every job at the start, when NOTIFY wakes it and by Agenda's schedule, or by timers while Agenda's store is gone. */
export async function startJobs(options: JobsOptions): Promise<{ close(): Promise<void> }> {
  const { listener, log, jobs } = options;
  const runners = jobs.map((job) => makeRunner(job, log, () => listener.notify(channels.scheduledRuns, job.name)));
  const wakeAll = () => {
    for (const runner of runners) void runner.wake();
  };
  const stopListening = [
    await listener.on(channels.scheduledRuns, (name) => {
      for (const runner of runners) if (runner.job.name === name) runner.scheduledRunElsewhere();
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
  const agenda = await startAgenda({ ...options, runners });
  wakeAll();
  return {
    async close() {
      for (const stop of stopListening) stop();
      await Promise.all([agenda.close(), ...runners.map((runner) => runner.stop())]);
    },
  };
}
