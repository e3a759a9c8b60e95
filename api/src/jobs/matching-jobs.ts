import { channels } from '../base/channels.ts';
import { ClaimScan } from '../base/claim-scan.ts';
import type { Pool } from '../base/database.ts';
import { matchPendingAlerts } from '../matching/match-alerts.ts';
import { makeListingMatcher } from '../matching/match-listings.ts';
import type { Job } from './job.ts';

/** Where the next run begins, by database. */
const scans = new WeakMap<Pool, ClaimScan<number>>();

/** Finds the alerts that new and changed listings fit, batch after batch until none waits or the worker stops. */
export const matchListingsJob: Job<{ pool: Pool; signal: AbortSignal }> = {
  name: 'match-listings',
  everyMs: 5_000,
  wakeUp: { channel: channels.work, payload: 'match' },
  async run({ pool, signal }) {
    const scan = scans.get(pool) ?? new ClaimScan<number>();
    scans.set(pool, scan);
    const matchNext = makeListingMatcher(pool, scan);
    while (!signal.aborted && (await matchNext()) > 0);
    return { nextInMs: scan.restMs };
  },
};

/**
 * Finds the recent listings that new and edited alerts fit, batch after batch until none waits or the worker stops. It is
 * a job apart from `match-listings`, so that neither many alerts nor many listings keep the others waiting.
 */
export const backfillAlertsJob: Job<{ pool: Pool; signal: AbortSignal }> = {
  name: 'backfill-alerts',
  everyMs: 5_000,
  wakeUp: { channel: channels.work, payload: 'backfill' },
  async run({ pool, signal }) {
    while (!signal.aborted && (await matchPendingAlerts(pool)) > 0);
    return undefined;
  },
};
