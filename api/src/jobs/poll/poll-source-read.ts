import type { Pool, Queryable } from '../../base/database.ts';
import { AppError } from '../../base/errors.ts';
import { makeTurns } from '../../base/turns.ts';
import type { ListingFacts, ParsedRecord } from '../../domain/facts/listing-facts.ts';
import type { Gazetteer } from '../../domain/places/places.ts';
import { lagMs, medianMs } from '../../domain/source-health.ts';
import { type ClaimedSource, requireClaim } from '../../sources/claim-source.ts';
import { type FetchDeps, fetchSource, type Validators } from '../../sources/fetch-source.ts';
import type { PollSuccess } from '../../sources/record-poll.ts';
import type { ReadRecords } from '../../sources/source-body.ts';
import type { SourceKind } from '../../sources/source-settings.ts';
import { WebFetchError } from '../../vendors/web-fetch-guard.ts';

const LARGE_BYTES = 8 * 1024 * 1024;
/** Reading a large body keeps its ids and unfinished records in memory. */
const largeOneByOne = makeTurns(1);

/** Runs work on a body: one large body at a time per process, small ones concurrently. */
export const bySize = <T>(bytes: number, work: () => Promise<T>): Promise<T> =>
  bytes > LARGE_BYTES ? largeOneByOne(work) : work();

/** What intake returns for one stored batch. */
export interface StoredPage {
  accepted: number;
  updated: number;
  unchanged: number;
  results: readonly { status: string; facts: ListingFacts | null }[];
}

/** Throws when the source's lease was lost, so that nothing is committed. */
type BeforeCommit = (db: Queryable) => Promise<unknown>;

export type StoreListings = (
  pool: Pool,
  source: string,
  records: ParsedRecord[],
  options: { announce: boolean; beforeCommit: BeforeCommit },
) => Promise<StoredPage>;

export interface ReadDeps extends FetchDeps {
  pool: Pool;
  storeListings: StoreListings;
  /** Records which listings a complete read of a feed did not contain. */
  retireAbsent: (
    pool: Pool,
    source: string,
    present: ReadonlySet<string> | 'unchanged',
    options: { signal?: AbortSignal | undefined; beforeCommit: BeforeCommit },
  ) => Promise<unknown>;
  readers: Record<SourceKind, ReadRecords>;
  gazetteer: Gazetteer;
  now: () => Date;
}

export type ReadSource = (source: ClaimedSource, deps: ReadDeps) => Promise<PollSuccess>;

/** The page can't be read, or not to its end; no listing is taken as absent because of it. */
export class UnreadablePage extends Error {}

/** Whether the source caused the error, and not LotWatch. */
export const isSourceFault = (error: unknown): error is WebFetchError | UnreadablePage =>
  error instanceof WebFetchError || error instanceof UnreadablePage;

/** Records in one transaction, since a feed can hold a hundred thousand. */
const BATCH = 500;

export interface OpenedPage {
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
export async function openPage(
  source: ClaimedSource,
  deps: ReadDeps,
  offset: number | null,
  known: Validators | null,
): Promise<OpenedPage | 'unchanged'> {
  deps.signal?.throwIfAborted();
  const page = await fetchSource(source, offset, known, deps);
  if (page.status === 'unchanged') return 'unchanged';
  const seenAt = deps.now();
  const context = { gazetteer: deps.gazetteer, now: seenAt, laterCounts: source.settings.order === 'append' };
  return {
    async *records() {
      try {
        yield* deps.readers[source.kind](page.body, context);
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
export interface Tally {
  count: number;
  fresh: number;
  changed: number;
  unchanged: number;
  lagsMs: number[];
}

interface PageRecords {
  records: AsyncIterable<ParsedRecord>;
  bytes: number;
  seenAt: Date;
}

type OnStored = (tally: Tally, last: ParsedRecord) => Promise<void>;

/**
 * Stores records as they arrive, 500 in a transaction, and calls `stored` after each transaction. Records before a fault
 * are stored too; then the fault is thrown.
 */
export const storeRecords = (
  source: ClaimedSource,
  deps: ReadDeps,
  page: PageRecords,
  stored: OnStored,
): Promise<Tally> => bySize(page.bytes, () => storeInBatches(source, deps, page, stored));

async function storeInBatches(
  source: ClaimedSource,
  deps: ReadDeps,
  page: PageRecords,
  stored: OnStored,
): Promise<Tally> {
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
export const medianLag = (source: ClaimedSource, lagsMs: number[]): number | null =>
  source.firstReadDone ? medianMs(lagsMs) : null;

/** The outcome of a read that the source answers with "unchanged". */
export const unchangedRead = (source: ClaimedSource): PollSuccess => ({
  cursor: source.cursor,
  etag: source.etag,
  lastModified: source.lastModified,
  lagMs: null,
  complete: false,
});
