import { type Batch, type BatchedCleanUp, type BatchResult, FIRST_BATCH } from '../src/base/batches.ts';
import { inTransaction, type Pool } from '../src/base/database.ts';

const MOST_BATCHES = 10_000;

export interface WalkDone {
  removed: number;
  batches: number;
}

/** Runs clean-ups batch by batch, each to its end. @param rows about so many a batch */
export async function untilDone(
  pool: Pool,
  cleanUps: BatchedCleanUp | readonly BatchedCleanUp[],
  rows = FIRST_BATCH.rows,
): Promise<WalkDone> {
  const walk: WalkDone = { removed: 0, batches: 0 };
  for (const cleanUp of [cleanUps].flat()) {
    let after: string | null = null;
    do {
      const batch: Batch = { after, rows };
      const done: BatchResult = await inTransaction(pool, (client) => cleanUp(client, batch));
      walk.removed += done.removed;
      walk.batches += 1;
      after = done.after;
      if (walk.batches > MOST_BATCHES) throw new Error('The walk does not end.');
    } while (after !== null);
  }
  return walk;
}
