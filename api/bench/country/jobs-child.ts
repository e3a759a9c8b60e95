import { type Client, makePool, type Pool } from '../../src/base/database.ts';
import { startListener } from '../../src/base/listener.ts';
import { silentLog } from '../../src/base/log.ts';
import { onMeasured } from '../../src/base/measured.ts';
import { cleanUpJob, purgeListingsJob } from '../../src/jobs/clean-up/clean-up-job.ts';
import { expireAlertsJob } from '../../src/jobs/expire-alerts-job.ts';
import { bindJobs } from '../../src/jobs/job.ts';
import { backfillAlertsJob, matchListingsJob } from '../../src/jobs/matching-jobs.ts';
import { startJobs } from '../../src/jobs/schedule/agenda.ts';

/** What the process did, in its answer to any message. */
export interface JobsReport {
  batches: number;
  longestBatchMs: number;
  largestBatch: number;
  /** Milliseconds in which the clean-up used a connection; it rests three times as long. */
  cleanUpMs: number;
  failures: string[];
}

/**
 * A worker without the jobs that deliver: the two jobs of matching, the end of alerts, and the clean-up. Its argument is
 * the address of the database.
 */
const url = process.argv[2] ?? '';
const report: JobsReport = { batches: 0, longestBatchMs: 0, largestBatch: 0, cleanUpMs: 0, failures: [] };
const log = {
  ...silentLog,
  error: (message: string, fields?: { error?: unknown }) => {
    report.failures.push(`${message}: ${fields?.error instanceof Error ? fields.error.message : fields?.error}`);
  },
};
onMeasured('match', ({ listings, seconds }) => {
  report.batches += 1;
  report.longestBatchMs = Math.max(report.longestBatchMs, Math.round(seconds * 1_000));
  report.largestBatch = Math.max(report.largestBatch, listings);
});

/** Adds up how long the connections of a pool are in use. */
function countUse(pool: Pool): void {
  const since = new WeakMap<Client, number>();
  pool.on('acquire', (client) => since.set(client, performance.now()));
  pool.on('release', (_error, client) => {
    report.cleanUpMs += performance.now() - (since.get(client) ?? performance.now());
  });
}

/** The least that the settings allow. */
const keptDays = { matches: 120, messages: 120 };

const pool = makePool(url, 10, 'lotwatch-bench-jobs');
const cleanUpPool = makePool(url, 4, 'lotwatch-bench-clean-up');
countUse(cleanUpPool);
const stopping = new AbortController();
const listener = await startListener(url, log);
const parts = {
  pool,
  log,
  signal: stopping.signal,
  confirmEmail: false,
  purgeOutbox: async () => 0,
  keptDays,
  database: url,
};
const jobs = [
  ...bindJobs([matchListingsJob, backfillAlertsJob, expireAlertsJob], parts),
  ...bindJobs([cleanUpJob, purgeListingsJob], { ...parts, pool: cleanUpPool }),
];
const running = await startJobs({ database: url, mongoUrl: undefined, listener, log, jobs });
process.on('message', () => process.send?.(report));
process.once('disconnect', async () => {
  stopping.abort();
  await running.close();
  await listener.close();
  await Promise.all([pool.end(), cleanUpPool.end()]);
  process.exit(0);
});
process.send?.(String(process.pid));
