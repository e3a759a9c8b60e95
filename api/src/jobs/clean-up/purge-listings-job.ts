import { purgeListings } from '../../intake/purge-listings.ts';
import { retireUnseen } from '../../intake/retire-listings.ts';
import { type CleanUpStep, stepJob } from './step-job.ts';

const HOUR = 3_600_000;

export const purgeListingsSteps: readonly CleanUpStep[] = [
  { name: 'unseen-listings', everyMs: HOUR, rows: 1_000, run: retireUnseen },
  { name: 'old-listings', everyMs: HOUR, rows: 200, run: purgeListings },
];

/**
 * Marks listings as gone that no source shows any more, and deletes old ones. It is a job apart from `clean-up` with a
 * larger budget, as a backlog of millions takes hours. The batches are small, as each write of a listing touches all
 * indexes of the table.
 */
export const purgeListingsJob = stepJob({ name: 'purge-listings', budgetMs: 10_000, steps: purgeListingsSteps });
