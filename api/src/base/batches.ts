import type { Queryable } from './database.ts';

/** One bounded part of a walk over a table. */
export interface Batch {
  /** Where the batch before ended; null at the beginning. */
  after: string | null;
  /** About so many rows are looked at or deleted. */
  rows: number;
}

export interface BatchResult {
  /** Where the next batch begins; null when the walk has come to its end. */
  after: string | null;
  /** How many rows were deleted or changed. */
  removed: number;
}

/** A clean-up that works in batches. Each runs in a transaction of its own. */
export type BatchedCleanUp = (db: Queryable, batch?: Batch) => Promise<BatchResult>;

export const FIRST_BATCH: Batch = { after: null, rows: 5_000 };

const ROWS_A_PAGE = 50;

/** A table, or the parts of one of which each server of a cluster has some. */
export interface WalkedTable {
  name: string;
  /** Where its rows are, which is a part of the names of statements about them. */
  place: string;
}

/**
 * Does one batch of a walk over a table by its pages. The position is a page number, which identifies nobody, whatever the
 * table holds. A row that an update moves behind the walk is found by the next one. Of a table in several parts, a batch has
 * the pages with the same numbers of each.
 * @param change is given the first row's ctid and the one where the batch ends, and returns how many rows it changed
 */
export async function walkPages(
  db: Queryable,
  { name, place }: WalkedTable,
  { after, rows }: Batch,
  change: (pages: [from: string, to: string]) => Promise<number>,
): Promise<BatchResult> {
  const from = Number(after ?? 0);
  const to = from + Math.max(1, Math.floor(rows / ROWS_A_PAGE));
  const removed = await change([`(${from},0)`, `(${to},0)`]);
  const { rows: sizes } = await db.query<{ pages: number }>(
    `/* pages-of-${place} */
     select (pg_relation_size('${name}'::regclass) / current_setting('block_size')::int8)::int8 as pages`,
  );
  return { after: sizes.some(({ pages }) => to < pages) ? String(to) : null, removed };
}
