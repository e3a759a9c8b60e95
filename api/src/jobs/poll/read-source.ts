import pLimit from 'p-limit';
import type { Pool, Queryable } from '../../base/database.ts';
import { AppError } from '../../base/errors.ts';
import type { ParsedRecord } from '../../domain/facts/listing-facts.ts';
import type { Gazetteer } from '../../domain/places/places.ts';
import { lagMs, medianMs } from '../../domain/source-health.ts';
import type { retireAbsent } from '../../intake/retire-listings.ts';
import type { StoreResult, storeListings } from '../../intake/store-listings.ts';
import { type ClaimedSource, requireClaim } from '../../sources/claim-source.ts';
import { type FetchDeps, fetchSource, type Validators } from '../../sources/fetch-source.ts';
import { readMarketplaceItems } from '../../sources/marketplace-items/read-marketplace-items.ts';
import { type PollSuccess, saveCursor } from '../../sources/record-poll.ts';
import type { ReadRecords } from '../../sources/source-body.ts';
import type { SourceKind } from '../../sources/source-settings.ts';
import { readVehicleFeed } from '../../sources/vehicle-feed/read-feed.ts';
import { WebFetchError } from '../../vendors/web-fetch-guard.ts';

/** How the body of each kind of source is read. */
const readers: Record<SourceKind, ReadRecords> = {
  'marketplace-items': readMarketplaceItems,
  'vehicle-feed': readVehicleFeed,
};

interface StoredBatch extends Pick<StoreResult, 'accepted' | 'updated' | 'unchanged'> {
  results: readonly Pick<StoreResult['results'][number], 'status' | 'facts'>[];
}

export interface ReadDeps extends FetchDeps {
  pool: Pool;
  storeListings: (...given: Parameters<typeof storeListings>) => Promise<StoredBatch>;
  /** Records which listings a complete read of a feed did not contain. */
  retireAbsent: (...given: Parameters<typeof retireAbsent>) => Promise<unknown>;
  gazetteer: Gazetteer;
  now: () => Date;
}

type ReadSource = (source: ClaimedSource, deps: ReadDeps) => Promise<PollSuccess>;

/** The page can't be read, or not to its end; no listing is taken as absent because of it. */
class UnreadablePage extends Error {}

/** Whether the source caused the error, and not LotWatch. */
export const isSourceFault = (error: unknown): error is WebFetchError | UnreadablePage =>
  error instanceof WebFetchError || error instanceof UnreadablePage;

/** Records in one transaction, since a feed can hold a hundred thousand. */
const BATCH = 500;

interface OpenedPage {
  records(): AsyncGenerator<ParsedRecord>;
  bytes: number;
  seenAt: Date;
  validators: Validators;
  close(): Promise<void>;
}

/**
 * Receives one page, or a whole body where `offset` is null, and yields its records as they are read.
 * @throws WebFetchError, also from the records, after all complete ones
 */
async function openPage(
  source: ClaimedSource,
  deps: ReadDeps,
  offset: number | null,
  known: Validators | null,
): Promise<OpenedPage | 'unchanged'> {
  deps.signal?.throwIfAborted();
  const page = await fetchSource(source, offset, known, deps);
  if (page.status === 'unchanged') return 'unchanged';
  const seenAt = deps.now();
  const context = { gazetteer: deps.gazetteer, now: seenAt, laterWins: source.settings.order === 'append' };
  return {
    async *records() {
      try {
        yield* readers[source.kind](page.body, context);
      } catch (cause) {
        // A truncated body is often malformed too; the truncation is the cause to report.
        if (page.fault) throw page.fault;
        if (!(cause instanceof AppError)) throw cause;
        throw new UnreadablePage(`The page can't be read: ${cause.message}`, { cause });
      }
      if (page.fault) throw page.fault;
    },
    bytes: page.bytes,
    seenAt,
    validators: page,
    close: () => page.close(),
  };
}

/** Counts of what was stored of one page so far. */
interface Tally {
  count: number;
  fresh: number;
  changed: number;
  unchanged: number;
  lagsMs: number[];
}

interface PageRecords extends Pick<OpenedPage, 'bytes' | 'seenAt'> {
  records: AsyncIterable<ParsedRecord>;
}

type OnStored = (tally: Tally, last: ParsedRecord) => Promise<void>;

const LARGE_BYTES = 8 * 1024 * 1024;
/** Reading a large body keeps its ids and unfinished records in memory. */
const largeOneByOne = pLimit(1);

/** Runs work on a body: one large body at a time per process, small ones concurrently. */
export const limitLargeBodies = <T>(bytes: number, work: () => Promise<T>): Promise<T> =>
  bytes > LARGE_BYTES ? largeOneByOne(work) : work();

/**
 * Stores records as they arrive, 500 in a transaction, and calls `stored` after each transaction. Records before a fault
 * are stored too; then the fault is thrown.
 */
const storeRecords = (source: ClaimedSource, deps: ReadDeps, page: PageRecords, stored: OnStored): Promise<Tally> =>
  limitLargeBodies(page.bytes, () => storeInBatches(source, deps, page, stored));

async function storeInBatches(source: ClaimedSource, deps: ReadDeps, page: PageRecords, stored: OnStored) {
  const tally: Tally = { count: 0, fresh: 0, changed: 0, unchanged: 0, lagsMs: [] };
  let batch: ParsedRecord[] = [];
  const flush = async () => {
    const last = batch.at(-1);
    if (!last) return;
    deps.signal?.throwIfAborted();
    const result = await deps.storeListings(deps.pool, source.name, batch, {
      announce: source.firstReadDone,
      beforeCommit: (db) => requireClaim(db, source),
    });
    tally.count += batch.length;
    tally.fresh += result.accepted;
    tally.changed += result.accepted + result.updated;
    tally.unchanged += result.unchanged;
    for (const { status, facts } of result.results) {
      if (status === 'accepted' && facts?.listedAt) tally.lagsMs.push(lagMs(facts.listedAt, page.seenAt));
    }
    batch = [];
    await stored(tally, last);
  };
  let fault: Error | undefined;
  try {
    for await (const record of page.records) {
      batch.push(record);
      if (batch.length === BATCH) await flush();
    }
  } catch (error) {
    if (!isSourceFault(error)) throw error;
    fault = error;
  }
  await flush();
  if (fault && tally.count > 0) {
    const before = tally.count === 1 ? '1 record was' : `${tally.count.toLocaleString('en-US')} records were`;
    throw new UnreadablePage(`${fault.message} Before that, ${before} read.`, { cause: fault });
  }
  if (fault) throw fault;
  return tally;
}

/** The listings that a new source already had say nothing about how soon LotWatch sees a listing. */
const medianLag = (source: ClaimedSource, lagsMs: number[]): number | null =>
  source.firstReadDone ? medianMs(lagsMs) : null;

/** The outcome of a read that the source answers with "unchanged". */
const unchangedRead = (source: ClaimedSource): PollSuccess => ({
  cursor: source.cursor,
  etag: source.etag,
  lastModified: source.lastModified,
  lagMs: null,
  complete: false,
});

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
 * Reads from the newest page until a whole page is known (a first read: to the end), 20 pages at most. After an interrupted
 * read, known pages above the depth it reached don't end the read: below them may be listings that were never read.
 */
const readNewestFirst: ReadSource = async (source, deps) => {
  const { settings, firstReadDone } = source;
  const interruptedDepth = source.cursor.reach ?? 0;
  const lagsMs: number[] = [];
  let validators: Validators = { etag: null, lastModified: null };
  let previous = '';
  let offset = 0;
  let fresh = 0;
  for (let pages = 0; pages < MAX_PAGES; pages++) {
    const mayBeUnchanged = pages === 0 && firstReadDone && interruptedDepth === 0;
    const page = await openPage(source, deps, offset, mayBeUnchanged ? source : null);
    if (page === 'unchanged') return unchangedRead(source);
    if (pages === 0) validators = page.validators;
    const ids: (string | null)[] = [];
    const records = observing(page.records(), (record) => {
      if (ids.length <= settings.pageSize) ids.push(idOf(record));
    });
    const reached = Math.max(interruptedDepth + fresh, offset) + settings.pageSize;
    // The depth is saved before the records, or a worker that dies in between would hide the gap below them.
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
    if (tally.changed === 0 && tally.unchanged > 0 && firstReadDone && offset >= interruptedDepth + fresh) break;
    offset += tally.count;
  }
  return { cursor: {}, ...validators, lagMs: medianLag(source, lagsMs), complete: true };
};

/** A file's last line may not be completely written yet; it is no record until another line follows it. */
const isIncomplete = (record: ParsedRecord) => 'rejection' in record && record.rejection.code === 'MALFORMED';

/** Reads from the stored offset to the end, 20 pages at most; the offset is saved after each stored batch. */
const readAppended: ReadSource = async (source, deps) => {
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
const readSnapshot: ReadSource = async (source, deps) => {
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

/** Reads a claimed source in the order that its kind and settings name. @throws WebFetchError, UnreadablePage, LeaseLost */
export function readSource(source: ClaimedSource, deps: ReadDeps): Promise<PollSuccess> {
  if (source.kind === 'vehicle-feed') return readSnapshot(source, deps);
  return source.settings.order === 'append' ? readAppended(source, deps) : readNewestFirst(source, deps);
}
