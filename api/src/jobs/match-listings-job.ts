import { channels } from '../base/channels.ts';
import type { Pool } from '../base/database.ts';
import { matchPendingListings } from '../matching/match-listings.ts';
import type { Job } from './job.ts';

/** Finds the alerts that new and changed listings fit, batch after batch until none waits or the worker stops. */
export const matchListingsJob: Job<{ pool: Pool; signal: AbortSignal }> = {
  name: 'match-listings',
  everyMs: 5_000,
  wakeUp: { channel: channels.work, payload: 'match' },
  async run({ pool, signal }) {
    while (!signal.aborted && (await matchPendingListings(pool)) > 0);
    return undefined;
  },
};
