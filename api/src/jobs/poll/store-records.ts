import pLimit from 'p-limit';
import type { Pool } from '../../base/database.ts';
import type { Encryption } from '../../base/encryption.ts';
import type { ParsedRecord } from '../../domain/facts/listing-facts.ts';
import { lagMs, medianMs } from '../../domain/source-health.ts';
import type { retireAbsent } from '../../intake/retire-listings.ts';
import type { StoreResult, storeListings } from '../../intake/store-listings.ts';
import { type ClaimedSource, requireClaim } from '../../sources/claim-source.ts';
import type { RecordPage } from '../../sources/kinds/source-kind.ts';
import type { OpenDeps } from '../../sources/open-body.ts';
import { asSourceFault, UnreadablePage } from '../../sources/source-page.ts';

interface StoredBatch extends Pick<StoreResult, 'accepted' | 'updated' | 'unchanged'> {
  results: readonly Pick<StoreResult['results'][number], 'status' | 'facts'>[];
}

export interface ReadDeps extends OpenDeps {
  pool: Pool;
  /** Decrypts the secrets of sources. */
  encryption: Encryption;
  /** Whether sources of the browser may be in the server's own network. */
  allowsPrivateNetwork: boolean;
  storeListings: (...given: Parameters<typeof storeListings>) => Promise<StoredBatch>;
  /** Records which listings a complete read of a feed did not contain. */
  retireAbsent: (...given: Parameters<typeof retireAbsent>) => Promise<unknown>;
}

/** A claimed source with the settings of its kind, which have their secrets. */
export type OpenedSource<S> = Omit<ClaimedSource, 'settings' | 'encryptedSecrets'> & { settings: S };

/** Records in one transaction, since a feed can hold a hundred thousand. */
const BATCH = 500;

/** Counts of what was stored of one page so far. */
export interface Tally {
  count: number;
  fresh: number;
  changed: number;
  unchanged: number;
  lagsMs: number[];
}

interface PageRecords extends Pick<RecordPage, 'bytes' | 'seenAt' | 'isInitialLoad'> {
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
export const storeRecords = (
  source: OpenedSource<unknown>,
  deps: ReadDeps,
  page: PageRecords,
  stored: OnStored,
): Promise<Tally> => limitLargeBodies(page.bytes, () => storeInBatches(source, deps, page, stored));

async function storeInBatches(source: OpenedSource<unknown>, deps: ReadDeps, page: PageRecords, stored: OnStored) {
  const tally: Tally = { count: 0, fresh: 0, changed: 0, unchanged: 0, lagsMs: [] };
  let batch: ParsedRecord[] = [];
  const flush = async () => {
    const last = batch.at(-1);
    if (!last) return;
    deps.signal?.throwIfAborted();
    const result = await deps.storeListings(deps.pool, source.name, batch, {
      announce: source.firstReadDone && !page.isInitialLoad,
      beforeCommit: (db) => requireClaim(db, source),
    });
    tally.count += batch.length;
    tally.fresh += result.accepted;
    tally.changed += result.accepted + result.updated;
    tally.unchanged += result.unchanged;
    for (const { status, facts } of result.results) {
      if (status === 'accepted' && facts?.listedAt && !page.isInitialLoad)
        tally.lagsMs.push(lagMs(facts.listedAt, page.seenAt));
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
    fault = asSourceFault(error);
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
export const medianLag = (source: OpenedSource<unknown>, lagsMs: number[]): number | null =>
  source.firstReadDone ? medianMs(lagsMs) : null;

export async function* observing(records: AsyncIterable<ParsedRecord>, note: (record: ParsedRecord) => void) {
  for await (const record of records) {
    note(record);
    yield record;
  }
}
