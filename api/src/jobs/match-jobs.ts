import type { Pool } from '../base/database.ts';
import { matchPendingAlerts } from '../matching/match-alerts.ts';
import { matchPendingListings } from '../matching/match-listings.ts';
import type { Job } from './schedule/runner.ts';

/** Batch after batch, until nothing waits or the worker stops. */
async function drain(batch: () => Promise<number>, signal: AbortSignal): Promise<undefined> {
  while (!signal.aborted && (await batch()) > 0);
  return undefined;
}

/**
 * The two directions of matching, each with a runner of its own: a thousand new alerts and a hundred thousand listings
 * then take turns, batch by batch, in the queue of the lock between them (`lockMatching`).
 * @param signal aborted at shutdown: what drains stops after the batch it is at
 */
export function matchJobs(pool: Pool, signal: AbortSignal): { match: Job; lookBack: Job } {
  return {
    match: { name: 'match-listings', everyMs: 5_000, run: () => drain(() => matchPendingListings(pool), signal) },
    lookBack: { name: 'look-back', everyMs: 5_000, run: () => drain(() => matchPendingAlerts(pool), signal) },
  };
}
