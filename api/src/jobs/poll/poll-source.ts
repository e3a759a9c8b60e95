import type { Queryable } from '../../base/database.ts';
import type { Log } from '../../base/log.ts';
import type { ParsedRecord } from '../../domain/facts/listing-facts.ts';
import { type ClaimedSource, LeaseLost, requireClaim, withSource } from '../../sources/claim-source.ts';
import type { Validators } from '../../sources/fetch-source.ts';
import {
  backoffSeconds,
  recordFailure,
  recordInternalFault,
  recordSuccess,
  saveCursor,
} from '../../sources/record-poll.ts';
import { WebFetchError } from '../../vendors/web-fetch-guard.ts';
import {
  isSourceFault,
  medianLag,
  type OpenedPage,
  openPage,
  type ReadDeps,
  type ReadSource,
  storeRecords,
  unchangedRead,
} from './poll-source-read.ts';

export interface PollDeps extends ReadDeps {
  log: Log;
  /** From 0 up to 1, for the jitter. */
  random?: () => number;
  /** How long a claim lasts, in milliseconds, unless its worker renews it. */
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
    if (source.failures > 0) deps.log.info('source can be read again', { source: name, failures: source.failures });
  } catch (error) {
    if (lost.aborted) throw lost.reason;
    if (!isSourceFault(error)) {
      if (error instanceof LeaseLost) throw error;
      // When the database is down this fails too; the original error is thrown in any case.
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
 * Reads one source if it is due and no other worker reads it: fetches, parses and stores page after page. A fault of the
 * source is recorded on its row.
 * @returns whether it was read
 * @throws LeaseLost when another worker has claimed the source
 */
export async function pollSource(deps: PollDeps, name: string): Promise<boolean> {
  const read = async (source: ClaimedSource, lost: AbortSignal) => {
    await poll(source, deps, lost);
    return true;
  };
  return (await withSource(deps.pool, name, read, deps.leaseMs)) ?? false;
}

const MAX_PAGES = 20;

async function* observing(records: AsyncIterable<ParsedRecord>, note: (record: ParsedRecord) => void) {
  for await (const record of records) {
    note(record);
    yield record;
  }
}

const idOf = (record: ParsedRecord): string | null =>
  'facts' in record ? record.facts.externalId : record.rejection.externalId;

/**
 * Reads from the newest page until a whole page is known, 20 pages at most. A first read continues to the end. After an
 * interrupted read, only a known page below its reach ends the read, since the records it stored hide the gap below.
 */
export const readNewestFirst: ReadSource = async (source, deps) => {
  const { settings, firstReadDone } = source;
  const reach = source.cursor.reach ?? 0;
  const lagsMs: number[] = [];
  let validators: Validators = { etag: null, lastModified: null };
  let previous = '';
  let offset = 0;
  let fresh = 0;
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const page = await openPage(source, deps, offset, pages === 0 && firstReadDone && reach === 0 ? source : null);
    if (page === 'unchanged') return unchangedRead(source);
    if (pages === 0) validators = page.validators;
    const ids: (string | null)[] = [];
    const records = observing(page.records(), (record) => {
      if (ids.length <= settings.pageSize) ids.push(idOf(record));
    });
    const reached = Math.max(reach + fresh, offset) + settings.pageSize;
    // The reach is saved before the records, or a worker that dies in between would hide the gap below them.
    const tally = await saveCursor(deps.pool, source, { reach: reached })
      .then(() => storeRecords(source, deps, { ...page, records }, async () => {}))
      .finally(page.close);
    lagsMs.push(...tally.lagsMs);
    const shown = JSON.stringify(ids);
    if (tally.count === 0 || shown === previous) break;
    previous = shown;
    fresh += tally.fresh;
    // A file, or a server without paging, returns everything at once.
    if (settings.file !== undefined || tally.count > settings.pageSize) break;
    const known = tally.changed === 0 && tally.unchanged > 0;
    if (known && firstReadDone && offset >= reach + fresh) break;
    offset += tally.count;
  }
  return { cursor: {}, ...validators, lagMs: medianLag(source, lagsMs), complete: true };
};

/** A file's last line may not be completely written yet; it is no record until another line follows it. */
const isIncomplete = (record: ParsedRecord) => 'rejection' in record && record.rejection.code === 'MALFORMED';

/** Reads from the stored offset to the end, 20 pages at most; the offset is saved after each stored batch. */
export const readAppended: ReadSource = async (source, deps) => {
  const whole = source.settings.file !== undefined;
  const lagsMs: number[] = [];
  let offset = source.cursor.offset ?? 0;

  /** @returns how many records there are */
  const store = async (page: OpenedPage, skipped: number): Promise<number> => {
    let there = 0;
    const start = offset;
    const rest = async function* () {
      for await (const record of page.records()) {
        there++;
        if (there > skipped) yield record;
      }
    };
    const tally = await storeRecords(source, deps, { ...page, records: rest() }, async ({ count }, last) => {
      offset = start + count - (whole && isIncomplete(last) ? 1 : 0);
      await saveCursor(deps.pool, source, { offset });
    });
    lagsMs.push(...tally.lagsMs);
    return there;
  };

  let atEnd: Validators | null = null;
  for (let pages = 0; pages < MAX_PAGES && !atEnd; pages++) {
    const page = await openPage(source, deps, offset, pages === 0 ? source : null);
    if (page === 'unchanged') return { ...unchangedRead(source), complete: true };
    try {
      const there = await store(page, whole ? offset : 0);
      if (whole && there < offset) {
        // A file that became shorter was replaced.
        offset = 0;
        await store(page, 0);
      }
      // Validators belong to one offset, and only the last offset is requested again.
      if (there === 0 || whole) atEnd = page.validators;
    } finally {
      await page.close();
    }
  }
  return {
    cursor: { offset },
    etag: atEnd?.etag ?? null,
    lastModified: atEnd?.lastModified ?? null,
    lagMs: medianLag(source, lagsMs),
    complete: atEnd !== null,
  };
};

/** Reads a whole feed. Listings that it no longer contains are recorded as absent, but only after a complete read. */
export const readSnapshot: ReadSource = async (source, deps) => {
  const options = { signal: deps.signal, beforeCommit: (db: Queryable) => requireClaim(db, source) };
  const page = await openPage(source, deps, null, source);
  if (page === 'unchanged') {
    await deps.retireAbsent(deps.pool, source.name, 'unchanged', options);
    return { ...unchangedRead(source), complete: true };
  }
  const present = new Set<string>();
  const records = observing(page.records(), (record) => {
    const id = idOf(record);
    if (id !== null) present.add(id);
  });
  const { lagsMs } = await storeRecords(source, deps, { ...page, records }, async () => {}).finally(page.close);
  await deps.retireAbsent(deps.pool, source.name, present, options);
  return { cursor: {}, ...page.validators, lagMs: medianLag(source, lagsMs), complete: true };
};
