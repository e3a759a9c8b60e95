import { cleanUpJob, purgeListingsJob } from './clean-up/clean-up-job.ts';
import { comparePhotosJob } from './compare-photos-job.ts';
import { deliveryJobs } from './delivery-jobs.ts';
import { expireAlertsJob } from './expire-alerts-job.ts';
import { fitPricesJob } from './fit-prices-job.ts';
import type { Job } from './job.ts';
import { backfillAlertsJob, matchListingsJob } from './matching-jobs.ts';
import { pollSourcesJob } from './poll/poll-sources-job.ts';
import { processPaymentsJob } from './process-payments-job.ts';
import { renewSecretsJob } from './renew-secrets-job.ts';
import { webhookEventsJob } from './webhook-events-job.ts';

const all = [
  pollSourcesJob,
  matchListingsJob,
  backfillAlertsJob,
  comparePhotosJob,
  processPaymentsJob,
  expireAlertsJob,
  fitPricesJob,
  cleanUpJob,
  purgeListingsJob,
  renewSecretsJob,
  webhookEventsJob,
  ...deliveryJobs,
];

/** The parts of a worker: all that any of its jobs takes. */
export type WorkerParts = (typeof all)[number]['run'] extends (parts: infer Parts) => unknown ? Parts : never;

/** Every job of the worker. */
export const jobs: readonly Job<WorkerParts>[] = all;
