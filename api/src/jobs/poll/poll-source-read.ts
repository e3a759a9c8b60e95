import type { Pool, Queryable } from '../../base/database.ts';
import { AppError } from '../../base/errors.ts';
import type { ListingFacts, ParsedRecord } from '../../domain/facts/listing-facts.ts';
import type { Gazetteer } from '../../domain/places/places.ts';
import { lagMs, medianMs } from '../../domain/source-health.ts';
import { type ClaimedSource, requireClaim } from '../../sources/claim-source.ts';
import { type FetchDeps, fetchSource, type Validators } from '../../sources/fetch-source.ts';
import type { PollSuccess } from '../../sources/record-poll.ts';
import type { ReadRecords } from '../../sources/source-body.ts';
import type { SourceKind } from '../../sources/source-settings.ts';
import { WebFetchError } from '../../vendors/web-fetch-error.ts';
import { bySize } from './poll-lanes.ts';

/** What intake says of one stored batch. */
export interface StoredPage {
  accepted: number;
  updated: number;
  unchanged: number;
  results: readonly { status: string; facts: ListingFacts | null }[];
}

/** Whoever has lost the source throws here, and nothing is committed. */
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
  /** Takes note of what a whole read of a feed did not show. */
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

/** What came can't be read, or not to its end; nothing follows from it. */
export class UnreadablePage extends Error {}

/** Whether the source is to blame, and not we. */
export const isSourceFault = (error: unknown): error is WebFetchError | UnreadablePage =>
  error instanceof WebFetchError || error instanceof UnreadablePage;

/** One transaction's worth: a feed can hold a hundred thousand. */
const STORED_AT_ONCE = 500;

export interface OpenedPage {
  records(): AsyncGenerator<ParsedRecord>;
  bytes: number;
  seenAt: Date;
  validators: Validators;
  close(): Promise<void>;
}

/**
 * Receives one page, or all of what is not paged (`offset` null), and hands out its records as they are read.
 * @throws WebFetchError, also from the records: after all that came whole
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
        // What broke off seldom makes sense either: that it broke off is what is wrong.
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

/** What was stored of one page so far. */
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
 * Stores records as they come, 500 in a transaction; `stored` is called after each. What came before a fault is stored
 * too, then the fault is thrown.
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
      if (batch.length === STORED_AT_ONCE) await flush();
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

/** What a new source had before we came says nothing about our speed. */
export const medianLag = (source: ClaimedSource, lagsMs: number[]): number | null =>
  source.firstReadDone ? medianMs(lagsMs) : null;

/** The outcome of a read that the source answers with "unchanged": all stays as it was. */
export const unchangedRead = (source: ClaimedSource): PollSuccess => ({
  cursor: source.cursor,
  etag: source.etag,
  lastModified: source.lastModified,
  lagMs: null,
  complete: false,
});
