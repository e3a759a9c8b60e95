import { type Batch, type BatchResult, FIRST_BATCH } from '../src/base/batches.ts';
import { type Client, inTransaction, type Pool } from '../src/base/database.ts';
import { retentionSteps } from '../src/jobs/clean-up/retention.ts';

/** The least that the settings allow. */
const KEPT_DAYS = { matches: 120, messages: 120 };
const MAX_BATCHES = 10_000;

type CleanUp = (client: Client, batch: Batch) => Promise<BatchResult>;

interface WalkDone {
  removed: number;
  batches: number;
}

/** Runs each clean-up to its end, batch by batch. @param rows the size of a batch, about */
export async function untilDone(
  pool: Pool,
  cleanUps: CleanUp | readonly CleanUp[],
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
      if (walk.batches > MAX_BATCHES) throw new Error('The clean-up does not end.');
    } while (after !== null);
  }
  return walk;
}

/** Runs one step of the retention table to its end. @param step its name */
export async function purge(pool: Pool, step: string, rows?: number): Promise<WalkDone> {
  const found = retentionSteps.find(({ name }) => name === step);
  if (!found) throw new Error(`The retention table has no step ${step}.`);
  return untilDone(pool, (client, batch) => found.run(client, batch, { keptDays: KEPT_DAYS }), rows);
}
