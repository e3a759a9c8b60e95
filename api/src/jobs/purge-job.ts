import type { Pool } from '../base/database.ts';
import type { Log } from '../base/log.ts';
import { cleanUpJob } from './clean-up/clean-up-job.ts';
import { purgeListingsSteps } from './clean-up/steps.ts';
import type { Job } from './schedule/runner.ts';

const BUDGET_MS = 10_000;

/**
 * Lets listings that nobody shows any more be gone, and old ones leave, for a bounded time a run. While more wait it goes
 * on a second later from where it stopped. A job of its own, as a backlog of millions takes hours.
 */
export const purgeJob = ({ pool, signal, log }: { pool: Pool; signal: AbortSignal; log: Log }): Job =>
  cleanUpJob({ name: 'purge-listings', steps: purgeListingsSteps, budgetMs: BUDGET_MS, pool, signal, log });
