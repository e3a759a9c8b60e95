import { setImmediate as yieldToOthers } from 'node:timers/promises';
import type { Pool } from '../base/database.ts';
import type { ParsedRecord, RecordReader } from '../domain/facts/listing-facts.ts';
import type { Gazetteer } from '../domain/places/places.ts';
import { type QuarantineFilter, type QuarantineRow, readRetryable } from '../intake/quarantine.ts';
import { type RetriedCounts, type RetriedRecord, storeRetried } from '../intake/store-retried.ts';
import { readAgain } from '../sources/read-again.ts';

export interface RetryDeps {
  pool: Pool;
  /** Reads one stored record again with the current reader; null when it can't be read on its own. */
  readAgain(reader: RecordReader, record: string, now: Date): ParsedRecord | null;
  now(): Date;
}

/** The current readers. */
export const retryDeps = (pool: Pool, gazetteer: Gazetteer): RetryDeps => ({
  pool,
  readAgain: (reader, record, now) => readAgain(reader, record, { gazetteer, now }),
  now: () => new Date(),
});

export interface RetryOptions {
  /** Continues after this id: the `endId` of an earlier call. */
  after?: number | undefined;
  /** No further batch begins after this long; without it all records are tried. */
  budgetMs?: number;
  /** Called after each batch with the number of records tried so far. */
  onBatch?(tried: number): void;
}

export interface RetryResult extends RetriedCounts {
  /** How many records were tried. */
  tried: number;
  /** The last id that was tried; null when none is left that fits the filter. */
  endId: number | null;
}

const BATCH_ROWS = 200;

/**
 * Reads records of the quarantine again, the oldest first, and stores what is understood now, a batch a transaction.
 * Records of which only the beginning is kept, and duplicate ids of a feed, are left, as such a record proves nothing.
 */
export async function retryQuarantined(
  deps: RetryDeps,
  filter: QuarantineFilter,
  { after = 0, budgetMs = Number.POSITIVE_INFINITY, onBatch }: RetryOptions = {},
): Promise<RetryResult> {
  const until = performance.now() + budgetMs;
  const result: RetryResult = { tried: 0, accepted: 0, updated: 0, unchanged: 0, newer: 0, rejected: 0, endId: null };
  for (let last = after; ; ) {
    const rows = await readRetryable(deps.pool, filter, { first: BATCH_ROWS, after: last });
    for (const [source, records] of await readBatch(deps, rows)) {
      addTo(result, await storeRetried(deps.pool, source, records));
    }
    if (rows.length < BATCH_ROWS) return result;
    last = rows.at(-1)?.id ?? last;
    onBatch?.(result.tried);
    if (performance.now() > until) return { ...result, endId: last };
  }
}

async function readBatch(deps: RetryDeps, rows: QuarantineRow[]): Promise<Map<string, RetriedRecord[]>> {
  const bySource = new Map<string, RetriedRecord[]>();
  for (const [index, { id, source, reader, record }] of rows.entries()) {
    const parsed = deps.readAgain(reader, record, deps.now());
    const records = bySource.get(source) ?? [];
    records.push({ id, parsed });
    bySource.set(source, records);
    // Lets other requests of the process run.
    if (index % 20 === 19) await yieldToOthers();
  }
  return bySource;
}

function addTo(result: RetryResult, counts: RetriedCounts): void {
  for (const name of ['accepted', 'updated', 'unchanged', 'newer', 'rejected'] as const) {
    result[name] += counts[name];
    result.tried += counts[name];
  }
}
