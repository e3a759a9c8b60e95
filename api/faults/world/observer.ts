import { setTimeout as sleep } from 'node:timers/promises';
import type { Pool } from '../../src/base/database.ts';
import type { Gate } from '../gate.ts';
import { readHidden } from '../oracle/collect.ts';
import type { CarLog } from './journal.ts';
import { SOURCE } from './pusher.ts';

const EVERY_MS = 400;

/** Notes for each car when its search had certainly ended: what was acknowledged and does not wait any more. */
export async function watchSearches(
  pool: Pool,
  gate: Gate,
  cars: readonly CarLog[],
  signal: AbortSignal,
): Promise<void> {
  let settled = 0;
  const look = async () => {
    const begun = Date.now();
    const waiting = await pool
      .query<{ id: string }>('select external_id as id from listings where source = $1 and pending_match', [SOURCE])
      .then(({ rows }) => new Set(rows.map(({ id }) => id)))
      .catch(() => null);
    if (waiting) {
      const now = Date.now();
      // Changes come to the newest cars only.
      for (const car of cars.slice(Math.max(0, settled - 100))) {
        const state = car.states.at(-1);
        if (state && state.span.done < begun && !waiting.has(car.externalId)) state.searchedBy ??= now;
      }
      settled = cars.length;
    }
  };
  while (!signal.aborted) {
    // What is seen while a dump is made that loses something may be lost as well.
    await gate.pass(look);
    await sleep(EVERY_MS, undefined, { signal }).catch(() => {});
  }
}

/** Notes when each whole read of the demo marketplace ended. */
export async function watchReads(pool: Pool, gate: Gate, reads: Date[], signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    await gate.pass(async () => {
      const last = await pool
        .query<{ at: Date | null }>("select max(last_success_at) as at from sources where name = 'demo'")
        .then(({ rows }) => rows[0]?.at)
        .catch(() => null);
      if (last && last.getTime() !== reads.at(-1)?.getTime()) reads.push(last);
    });
    await sleep(EVERY_MS, undefined, { signal }).catch(() => {});
  }
}

/**
 * Notes for each pair of these buyers when it was last seen hidden. A page that has it from before has taken it away by
 * then: when it is shown again, it must be told again.
 */
export async function watchHidden(
  pool: Pool,
  gate: Gate,
  userIds: readonly number[],
  hidden: Map<string, number>,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await gate.pass(async () => {
      const begun = Date.now();
      const pairs = await readHidden(pool, userIds).catch(() => []);
      for (const pair of pairs) hidden.set(pair, begun);
    });
    await sleep(EVERY_MS, undefined, { signal }).catch(() => {});
  }
}
