import { setTimeout as sleep } from 'node:timers/promises';
import type { Log } from '../../base/log.ts';
import { backoffSeconds } from '../../sources/backoff.ts';
import { type ClaimedSource, dueSources, LeaseLost, withSource } from '../../sources/claim-source.ts';
import { recordFailure, recordOurFault, recordSuccess } from '../../sources/record-poll.ts';
import { WebFetchError } from '../../vendors/web-fetch-error.ts';
import { PollLanes } from './poll-lanes.ts';
import { readAppended, readNewestFirst, readSnapshot } from './poll-source-orders.ts';
import { isSourceFault, type ReadDeps, type ReadSource } from './poll-source-read.ts';

export interface PollDeps extends ReadDeps {
  log: Log;
  /** From 0 up to 1, for the jitter. */
  random?: () => number;
  /** How long a source stays claimed by a worker that is not heard of. */
  leaseMs?: number;
}

const PATIENCE_MS = 3000;

function readerOf({ kind, settings }: ClaimedSource): ReadSource {
  if (kind === 'vehicle-feed') return readSnapshot;
  return settings.order === 'append' ? readAppended : readNewestFirst;
}

async function poll(source: ClaimedSource, deps: PollDeps, lost: AbortSignal): Promise<void> {
  const { pool } = deps;
  const { name, settings } = source;
  const signal = AbortSignal.any([lost, ...(deps.signal ? [deps.signal] : [])]);
  try {
    await recordSuccess(pool, source, await readerOf(source)(source, { ...deps, signal }));
    if (source.failures > 0) deps.log.info('source is back', { source: name, failures: source.failures });
  } catch (error) {
    if (lost.aborted) throw lost.reason;
    if (!isSourceFault(error)) {
      if (error instanceof LeaseLost) throw error;
      // Where the database is at fault this fails, too; what it was is thrown in any case.
      if (!deps.signal?.aborted) await recordOurFault(pool, source).catch(() => {});
      throw error;
    }
    const failures = source.failures + 1;
    const retryAfterSeconds = error instanceof WebFetchError ? error.retryAfterSeconds : null;
    const delaySeconds = backoffSeconds(
      { everySeconds: settings.everySeconds, failures, retryAfterSeconds },
      (deps.random ?? Math.random)(),
    );
    await recordFailure(pool, source, { message: error.message, delaySeconds });
    deps.log.warn('source failed', { source: name, error: error.message, failures, againInSeconds: delaySeconds });
  }
}

/**
 * Reads one source if it is due and nobody else reads it: fetch, read, store, page after page. A fault of the source
 * lands on its row. Returns whether it was read. @throws LeaseLost when another worker took the source over
 */
export async function pollSource(deps: PollDeps, name: string): Promise<boolean> {
  const read = async (source: ClaimedSource, lost: AbortSignal) => {
    await poll(source, deps, lost);
    return true;
  };
  return (await withSource(deps.pool, name, read, deps.leaseMs)) ?? false;
}

/** What each worker has under way. */
const lanesOf = new WeakMap<PollDeps, PollLanes>();

/**
 * Reads every source that is due, a few at once; returns how many were read. A source that takes long is left to
 * itself after a few seconds, so that it does not hold up the others. Calls may overlap: a source is read by one.
 */
export async function pollDueSources(deps: PollDeps): Promise<number> {
  const lanes = lanesOf.get(deps) ?? new PollLanes();
  lanesOf.set(deps, lanes);
  const waiting = (await dueSources(deps.pool)).filter((name) => !lanes.isRunning(name));
  const mine = new Set<string>();
  let polled = 0;
  const start = (name: string) => {
    mine.add(name);
    const poll = pollSource(deps, name)
      .then((done) => {
        if (done) polled += 1;
      })
      .catch((error: unknown) => {
        if (error instanceof LeaseLost) deps.log.warn('lease lost', { source: name });
        else if (!deps.signal?.aborted) deps.log.error('poll failed', { source: name, error });
      })
      .finally(() => mine.delete(name));
    lanes.begin(name, poll);
  };
  let patient = true;
  const patience = new AbortController();
  const outOfPatience = sleep(PATIENCE_MS, undefined, { signal: patience.signal, ref: false }).then(
    () => {
      patient = false;
    },
    () => {},
  );
  while (patient && !deps.signal?.aborted && (waiting.length > 0 || mine.size > 0)) {
    for (let name = lanes.take(waiting); name !== undefined; name = lanes.take(waiting)) start(name);
    await Promise.race([outOfPatience, lanes.oneEnds()]);
  }
  patience.abort();
  return polled;
}
