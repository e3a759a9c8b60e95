import { setTimeout as sleep } from 'node:timers/promises';
import { type Batch, type BatchResult, FIRST_BATCH } from '../../base/batches.ts';
import { type Client, inTransaction, type Pool } from '../../base/database.ts';
import { isCanceled } from '../../base/database-fault.ts';
import type { Log } from '../../base/log.ts';
import type { Job } from '../job.ts';

/** What every step uses; a step may ask for more parts of the worker. */
export interface StepParts {
  pool: Pool;
  log: Log;
  /** Aborted at shutdown: the job stops after the current batch. */
  signal: AbortSignal;
}

export interface CleanUpStep<Parts = unknown> {
  /** Its position is stored under this name, so a step with a new name begins from the start. */
  name: string;
  /** After the end of its table the step begins again after this many milliseconds. */
  everyMs: number;
  /** About how many rows a batch takes; 5,000 without it. */
  rows?: number;
  /** Runs in a transaction of its own. */
  run: (client: Client, batch: Batch, parts: Parts) => Promise<BatchResult>;
}

interface StepJobOptions<Parts> {
  name: string;
  steps: readonly CleanUpStep<Parts>[];
  /** How many milliseconds one step may take in one run. */
  budgetMs?: number;
}

/** How often due steps are looked for: as often as the shortest interval of a step. */
const EVERY_MS = 300_000;
const BUDGET_MS = 5_000;
const SOON_MS = 1_000;
const RETRY_MS = 300_000;
/** After each batch the job rests this many times as long as the batch took, so that other work comes first. */
const REST = 3;
const MIN_ROWS = 50;

/** The server cancelled a statement because of its limit of time, and not because somebody asked for it. */
class StatementTimeout extends Error {}

/**
 * Makes a job that cleans up in steps. Each step is run in isolation: where one fails the others go on, and it is
 * tried again after five minutes. A step works in batches, a transaction each, for a bounded time a run. Its position is
 * committed with each batch, so that it goes on from there after a restart. Two workers at once share the batches.
 */
export function stepJob<Parts extends StepParts>({
  name,
  steps,
  budgetMs = BUDGET_MS,
}: StepJobOptions<Parts>): Job<Parts> {
  type Step = CleanUpStep<Parts>;
  const rowsOf = new Map(steps.map((step) => [step.name, step.rows ?? FIRST_BATCH.rows]));
  const names = steps.map((step) => step.name);

  /** @returns null when the step is not due, or another worker runs it */
  const runBatch = (step: Step, rows: number, parts: Parts): Promise<BatchResult | null> =>
    inTransaction(parts.pool, async (client) => {
      const { rows: claimed } = await client.query<{ position: string | null; timeoutMs: number }>(
        `select position, coalesce((select setting::int8 from pg_settings where name = 'statement_timeout'), 0) as "timeoutMs"
           from cleanup_positions where step = $1 and due_at <= now() for update skip locked`,
        [step.name],
      );
      if (!claimed[0]) return null;
      const { position, timeoutMs } = claimed[0];
      const begun = performance.now();
      const done = await step.run(client, { after: position, rows }, parts).catch((error: unknown) => {
        // A timeout and a cancelled statement have one code; only their messages differ, which are in the server's language.
        const isLate = timeoutMs > 0 && performance.now() - begun >= timeoutMs;
        throw isLate && isCanceled(error)
          ? new StatementTimeout('A statement took too long.', { cause: error })
          : error;
      });
      await client.query(
        `update cleanup_positions set position = $2, updated_at = now(),
                due_at = now() + case when $2::text is null then $3 else 0 end * interval '1 ms'
          where step = $1`,
        [step.name, done.after, step.everyMs],
      );
      return done;
    });

  /** After a statement timeout the batch is tried again with fewer rows, down to a least number of them. */
  async function runBatchThatFits(step: Step, parts: Parts): Promise<BatchResult | null> {
    for (;;) {
      const rows = rowsOf.get(step.name) ?? FIRST_BATCH.rows;
      try {
        return await runBatch(step, rows, parts);
      } catch (error) {
        if (!(error instanceof StatementTimeout) || rows <= MIN_ROWS) throw error;
        rowsOf.set(step.name, Math.max(MIN_ROWS, rows >> 2));
      }
    }
  }

  async function runStep(step: Step, parts: Parts): Promise<number> {
    const { signal } = parts;
    const end = performance.now() + budgetMs;
    let removed = 0;
    while (!signal.aborted) {
      const startedAt = performance.now();
      const done = await runBatchThatFits(step, parts);
      removed += done?.removed ?? 0;
      if (done?.after == null) break;
      await sleep((performance.now() - startedAt) * REST, undefined, { signal }).catch(() => {});
      if (performance.now() > end) break;
    }
    return removed;
  }

  const defer = (step: Step, pool: Pool): Promise<unknown> =>
    pool.query(
      `update cleanup_positions set due_at = now() + $2 * interval '1 ms', updated_at = now() where step = $1`,
      [step.name, Math.min(RETRY_MS, step.everyMs)],
    );

  async function untilDue(pool: Pool): Promise<number | null> {
    const { rows } = await pool.query<{ ms: number | null }>(
      `select (extract(epoch from min(due_at) - now()) * 1000)::float8 as ms
         from cleanup_positions where step = any($1)`,
      [names],
    );
    return rows[0]?.ms ?? null;
  }

  return {
    name,
    everyMs: EVERY_MS,
    async run(parts) {
      const { pool, log, signal } = parts;
      await pool.query('insert into cleanup_positions (step) select unnest($1::text[]) on conflict do nothing', [
        names,
      ]);
      for (const step of steps) {
        if (signal.aborted) return undefined;
        try {
          const removed = await runStep(step, parts);
          if (removed > 0) log.info('cleaned up', { step: step.name, removed });
        } catch (error) {
          log.error('a step of the clean-up failed', { step: step.name, error });
          await defer(step, pool).catch(() => {});
        }
      }
      const ms = await untilDue(pool);
      return { nextInMs: ms === null ? null : Math.max(SOON_MS, ms) };
    },
  };
}
