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
  /** How many rows left, or were changed because they are over. */
  removed: number;
}

/** A clean-up that works in batches. Each runs in a transaction of its own. */
export type BatchedCleanUp = (db: Queryable, batch?: Batch) => Promise<BatchResult>;

export const FIRST_BATCH: Batch = { after: null, rows: 5_000 };
