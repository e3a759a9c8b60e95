import type { Pool } from '../base/database.ts';
import type { Log } from '../base/log.ts';
import { forgetListings, type OldListing } from '../intake/forget-listings.ts';
import { retireUnseen } from '../intake/retire-listings.ts';
import type { Job } from './schedule/runner.ts';

const SOON_MS = 1_000;

/**
 * Lets listings that nobody shows any more be gone, and old ones leave, a bounded number a run. While more wait it goes
 * on a second later from where it stopped; a new process begins the walk anew.
 */
export function forgetJob({ pool, signal, log }: { pool: Pool; signal: AbortSignal; log: Log }): Job {
  let after: OldListing | null = null;
  return {
    name: 'forget-listings',
    everyMs: 3_600_000,
    async run() {
      if (after === null) await retireUnseen(pool, signal);
      const { left, kept, after: last } = await forgetListings(pool, { after, signal });
      after = last;
      if (left + kept > 0) log.info('old listings left', { left, kept, more: after !== null });
      return { nextInMs: after === null ? null : SOON_MS };
    },
  };
}
