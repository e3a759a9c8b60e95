import type { Log } from '../../base/log.ts';
import { type ClaimedSource, LeaseLost, withSource } from '../../sources/claim-source.ts';
import { backoffSeconds, recordFailure, recordInternalFault, recordSuccess } from '../../sources/record-poll.ts';
import { WebFetchError } from '../../vendors/web-fetch-error.ts';
import { readAppended, readNewestFirst, readSnapshot } from './poll-source-orders.ts';
import { isSourceFault, type ReadDeps, type ReadSource } from './poll-source-read.ts';

export interface PollDeps extends ReadDeps {
  log: Log;
  /** From 0 up to 1, for the jitter. */
  random?: () => number;
  /** How long a source stays claimed by a worker that is not heard of. */
  leaseMs?: number;
}

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
      if (!deps.signal?.aborted) await recordInternalFault(pool, source).catch(() => {});
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
