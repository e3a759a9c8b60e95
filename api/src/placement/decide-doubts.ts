import { setTimeout as sleep } from 'node:timers/promises';
import { locks } from '../base/advisory-lock.ts';
import type { Queryable } from '../base/database.ts';

const INSUFFICIENT_PRIVILEGE = '42501';

/**
 * Commits or rolls back what servers of the cluster have prepared, where the coordinator has lost them before they were told
 * which. Citus itself does so every `citus.recover_2pc_interval`, a minute by default.
 * @returns how many transactions, unless another process is at it or the role may not
 */
export async function decideDoubts(db: Queryable): Promise<number | 'busy' | 'refused'> {
  try {
    const { rows } = await db.query<{ count: number | null }>(
      `select recover_prepared_transactions() as count
         from (select pg_try_advisory_xact_lock(${locks.doubts}) as free offset 0) turn where free`,
    );
    return rows[0]?.count ?? 'busy';
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === INSUFFICIENT_PRIVILEGE) return 'refused';
    throw error;
  }
}

const TRIES = 20;
const PAUSE_MS = 50;

/**
 * Decides what a commit has left in doubt, also after another process that may have looked before it. It waits a second at most
 * for others, and Citus itself up to 5 s for each server whose network drops everything.
 */
export async function decideCommit(db: Queryable): Promise<void> {
  for (let tries = 1; tries <= TRIES; tries += 1) {
    if ((await decideDoubts(db)) !== 'busy') return;
    await sleep(PAUSE_MS);
  }
}

/** How many transactions the servers of rows have prepared, and neither committed nor rolled back. Those that are away do not count. */
export async function countInDoubt(db: Queryable): Promise<number> {
  const { rows } = await db.query<{ count: number | null }>(
    `select sum(case when success then result::int4 end)::int4 as count from run_command_on_workers(
       'select count(*) from pg_prepared_xacts where database = current_database()')`,
  );
  return rows[0]?.count ?? 0;
}
