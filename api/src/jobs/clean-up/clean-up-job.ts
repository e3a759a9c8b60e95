import { setTimeout as sleep } from 'node:timers/promises';
import { type Client, inTransaction, type Pool } from '../../base/database.ts';
import type { Log } from '../../base/log.ts';
import { FIRST_PIECE, type Piece, type PieceDone } from '../../base/pieces.ts';
import type { Job } from '../schedule/runner.ts';

export interface CleanUpStep {
  name: string;
  /** After a walk has come to its end the next one begins so much later. */
  everyMs: number;
  /** About so many rows a piece; 5,000 without it. */
  rows?: number;
  /** Runs in a transaction of its own. */
  run(client: Client, piece: Piece): Promise<PieceDone>;
}

export interface CleanUpParts {
  name: string;
  pool: Pool;
  steps: readonly CleanUpStep[];
  log: Log;
  /** Aborted at shutdown: it stops after the piece that it is at. */
  signal: AbortSignal;
  /** How long one step may take in one run. */
  budgetMs?: number;
}

/** How often it is looked whether a step is due: often enough for the one with the shortest interval. */
const EVERY_MS = 300_000;
const BUDGET_MS = 5_000;
const SOON_MS = 1_000;
const FAILED_AGAIN_MS = 300_000;
/** After each piece it rests this many times as long as the piece took: whoever else is at work comes first. */
const REST = 3;
const LEAST_ROWS = 50;
const STATEMENT_TIMEOUT = '57014';

const codeOf = (error: unknown): unknown => (error instanceof Error && 'code' in error ? error.code : undefined);

/**
 * Cleans up step by step. Each step stands alone: where one fails the others go on, and it is tried again after five
 * minutes. It works in pieces, a transaction each, for a bounded time a run; where it was is written down with the
 * piece, so that a restart goes on from there. Two workers at once share the pieces.
 */
export function cleanUpJob({ name, pool, steps, log, signal, budgetMs = BUDGET_MS }: CleanUpParts): Job {
  const rowsOf = new Map(steps.map((step) => [step.name, step.rows ?? FIRST_PIECE.rows]));
  const names = steps.map((step) => step.name);

  /** null where the step is not due, or another worker is at it. */
  const runPiece = (step: CleanUpStep, rows: number): Promise<PieceDone | null> =>
    inTransaction(pool, async (client) => {
      const { rows: claimed } = await client.query<{ position: string | null }>(
        'select position from cleanup_positions where step = $1 and due_at <= now() for update skip locked',
        [step.name],
      );
      if (!claimed[0]) return null;
      const done = await step.run(client, { after: claimed[0].position, rows });
      await client.query(
        `update cleanup_positions set position = $2, updated_at = now(),
                due_at = now() + case when $2::text is null then $3 else 0 end * interval '1 ms'
          where step = $1`,
        [step.name, done.after, step.everyMs],
      );
      return done;
    });

  /** Once more with fewer rows after a timeout, as long as there are any fewer. */
  async function runFewer(step: CleanUpStep): Promise<PieceDone | null> {
    for (;;) {
      const rows = rowsOf.get(step.name) ?? FIRST_PIECE.rows;
      try {
        return await runPiece(step, rows);
      } catch (error) {
        if (codeOf(error) !== STATEMENT_TIMEOUT || rows <= LEAST_ROWS) throw error;
        rowsOf.set(step.name, Math.max(LEAST_ROWS, rows >> 2));
      }
    }
  }

  async function runStep(step: CleanUpStep): Promise<number> {
    const end = performance.now() + budgetMs;
    let removed = 0;
    while (!signal.aborted) {
      const startedAt = performance.now();
      const done = await runFewer(step);
      removed += done?.removed ?? 0;
      if (done?.after == null) break;
      await sleep((performance.now() - startedAt) * REST, undefined, { signal }).catch(() => {});
      if (performance.now() > end) break;
    }
    return removed;
  }

  async function defer(step: CleanUpStep): Promise<void> {
    await pool.query(
      `update cleanup_positions set due_at = now() + $2 * interval '1 ms', updated_at = now() where step = $1`,
      [step.name, Math.min(FAILED_AGAIN_MS, step.everyMs)],
    );
  }

  async function untilDue(): Promise<number | null> {
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
    async run() {
      await pool.query('insert into cleanup_positions (step) select unnest($1::text[]) on conflict do nothing', [
        names,
      ]);
      for (const step of steps) {
        if (signal.aborted) return undefined;
        try {
          const removed = await runStep(step);
          if (removed > 0) log.info('cleaned up', { step: step.name, removed });
        } catch (error) {
          log.error('a step of the clean-up failed', { step: step.name, error });
          await defer(step).catch(() => {});
        }
      }
      const ms = await untilDue();
      return { nextInMs: ms === null ? null : Math.max(SOON_MS, ms) };
    },
  };
}
