import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { cached } from '../base/cached.ts';
import type { Pool, Queryable } from '../base/database.ts';
import { onMeasured } from '../base/measured.ts';
import { type BackupParts, makeBackupReader } from './backups.ts';
import { readQueues, readSources } from './queues.ts';

export interface MetricsParts {
  /** Reads what the database knows; null leaves that to other processes. */
  db: Queryable | null;
  pools: Readonly<Record<string, Pick<Pool, 'totalCount' | 'idleCount' | 'waitingCount'>>>;
  /** The number of open sockets, where there are any. */
  sockets?: () => number;
  /** Where LotWatch backs up its database itself. */
  backup?: BackupParts | undefined;
}

export interface Metrics {
  /** The content type of the text. */
  contentType: string;
  /** All figures in Prometheus' text format. Those of the database are left out when it does not answer. */
  read(): Promise<string>;
  /** The names of a figure's labels. */
  labelsOf(name: string): Set<string>;
  close(): void;
}

/** Several servers may scrape at once. */
const DATABASE_MS = 2_000;
const requestSeconds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
const batchSeconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5];
const lagSeconds = [1, 2, 5, 10, 30, 60, 300, 900, 3600, 21_600, 86_400];

/** Counts in this process what its rooms measure, and reads the rest when it is asked. What each figure means is in docs/operating/metrics.md. */
export function makeMetrics({ db, pools, sockets, backup }: MetricsParts): Metrics {
  const register = new Registry();
  const registers = [register];
  collectDefaultMetrics({ register });
  const counter = <L extends string>(name: string, help: string, labelNames: L[] = []) =>
    new Counter({ name, help, labelNames, registers });
  const gauge = <L extends string>(name: string, help: string, labelNames: L[] = []) =>
    new Gauge({ name, help, labelNames, registers });
  const histogram = <L extends string>(name: string, help: string, buckets: number[], labelNames: L[] = []) =>
    new Histogram({ name, help, buckets, labelNames, registers });

  const requests = histogram('lotwatch_request_seconds', 'Requests by kind and status', requestSeconds, [
    'kind',
    'status',
  ]);
  const runs = histogram('lotwatch_job_run_seconds', 'Runs of jobs', batchSeconds, ['job_name']);
  const failedRuns = counter('lotwatch_job_failures_total', 'Runs of jobs that failed', ['job_name']);
  const storeReached = gauge('lotwatch_job_store_reached', 'Whether the store of the schedule answers: 1 or 0', [
    'store',
  ]);
  const batches = histogram('lotwatch_match_batch_seconds', 'Matching one batch of listings', batchSeconds);
  const matched = counter('lotwatch_matched_listings_total', 'Listings that were matched');
  const matches = counter('lotwatch_matches_total', 'Pairs of an alert and a listing that were found');
  const records = counter('lotwatch_intake_records_total', 'Records of sources', ['outcome']);
  const lags = histogram('lotwatch_intake_lag_seconds', 'From listed to seen, of new listings', lagSeconds);
  const messages = counter('lotwatch_messages_total', 'Messages by channel and result', ['channel', 'result']);
  const unsubscribe = [
    onMeasured('request', ({ kind, status, seconds }) => {
      requests.observe({ kind, status: `${Math.floor(status / 100)}xx` }, seconds);
    }),
    onMeasured('job', ({ job, seconds, isFailed }) => {
      runs.observe({ job_name: job }, seconds);
      if (isFailed) failedRuns.inc({ job_name: job });
    }),
    onMeasured('jobStore', ({ store, isReached: answers }) => storeReached.set({ store }, Number(answers))),
    onMeasured('match', (batch) => {
      batches.observe(batch.seconds);
      matched.inc(batch.listings);
      matches.inc(batch.matches);
    }),
    onMeasured('intake', ({ lags: seen, ...outcomes }) => {
      for (const [outcome, count] of Object.entries(outcomes)) records.inc({ outcome }, count);
      for (const lag of seen) lags.observe(lag);
    }),
    onMeasured('message', (message) => messages.inc(message)),
  ];

  const connections = gauge('lotwatch_database_connections', 'Connections to PostgreSQL', ['pool', 'state']);
  const open = sockets && gauge('lotwatch_sockets_open', 'Open WebSockets');
  const isReached = gauge('lotwatch_database_reached', 'Whether the database answered this scrape: 1 or 0');
  const depth = gauge('lotwatch_queue_waiting', 'What is due and waits, up to 100,000', ['queue']);
  const age = gauge('lotwatch_queue_oldest_seconds', 'For how long the first of a queue is due', ['queue']);
  const silence = gauge('lotwatch_source_silent_seconds', 'Since the last read without an error', ['source']);
  const failures = gauge('lotwatch_source_failures', 'Reads of a source that failed in a row', ['source']);
  const lag = gauge('lotwatch_source_lag_seconds', 'From listed to seen, of the last listing', ['source']);
  const leases = gauge('lotwatch_leases', 'Claims that are held', ['of']);

  const backups = {
    baseAgeSeconds: gauge('lotwatch_backup_base_age_seconds', 'Since the newest base backup; +Inf without one'),
    baseBytes: gauge('lotwatch_backup_base_bytes', 'Size of the newest base backup'),
    freeBytes: gauge('lotwatch_backup_free_bytes', 'Space that is left on the disk of the backups'),
    logBehindBytes: gauge('lotwatch_backup_log_behind_bytes', 'Log of PostgreSQL that is not archived yet'),
    logBehindSeconds: gauge('lotwatch_backup_log_behind_seconds', 'For how long log waits to be archived'),
  };
  const readBackups = makeBackupReader(backup);
  const forgetBackups = () => {
    for (const figure of Object.values(backups)) figure.remove();
  };
  // Without a label a figure begins as 0.
  forgetBackups();

  const readDatabase = cached(async () => {
    for (const figure of [depth, age, silence, failures, lag, leases]) figure.reset();
    forgetBackups();
    if (!db) return;
    isReached.set(0);
    const [queues, sources, late] = await Promise.all([readQueues(db), readSources(db), readBackups(db)]);
    for (const { queue, waiting, oldestSeconds } of queues) {
      depth.set({ queue }, waiting);
      age.set({ queue }, oldestSeconds);
    }
    for (const { source, ...figures } of sources) {
      if (figures.silentSeconds !== null) silence.set({ source }, figures.silentSeconds);
      if (figures.lagSeconds !== null) lag.set({ source }, figures.lagSeconds);
      failures.set({ source }, figures.failures);
    }
    for (const [name, value] of Object.entries(late))
      if (value !== undefined) backups[name as keyof typeof late].set(value);
    leases.set({ of: 'sources' }, sources.filter(({ isClaimed }) => isClaimed).length);
    isReached.set(1);
  }, DATABASE_MS);

  return {
    contentType: register.contentType,
    async read() {
      for (const [pool, { totalCount, idleCount, waitingCount }] of Object.entries(pools)) {
        connections.set({ pool, state: 'used' }, totalCount - idleCount);
        connections.set({ pool, state: 'idle' }, idleCount);
        connections.set({ pool, state: 'waited for' }, waitingCount);
      }
      if (sockets) open?.set(sockets());
      // The figures of this process are worth most while the database is away.
      await readDatabase().catch(() => undefined);
      return register.metrics();
    },
    labelsOf(name) {
      const metric: unknown = register.getSingleMetric(name);
      const { labelNames } = (metric ?? {}) as { labelNames?: string[] };
      return new Set(labelNames);
    },
    close() {
      for (const stop of unsubscribe) stop();
      register.clear();
    },
  };
}
