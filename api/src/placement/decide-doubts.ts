import { locks } from '../base/advisory-lock.ts';
import type { Queryable } from '../base/database.ts';

const INSUFFICIENT_PRIVILEGE = '42501';

/**
 * Commits or rolls back what servers of the cluster have prepared, where the coordinator has lost them before they were told
 * which. Citus itself does so every `citus.recover_2pc_interval`, a minute by default.
 * @returns how many transactions; 0 where another process is at it, and null where the role may not do that
 */
export async function decideDoubts(db: Queryable): Promise<number | null> {
  try {
    const { rows } = await db.query<{ count: number | null }>(
      `select recover_prepared_transactions() as count
         from (select pg_try_advisory_xact_lock(${locks.doubts}) as free offset 0) turn where free`,
    );
    return rows[0]?.count ?? 0;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === INSUFFICIENT_PRIVILEGE) return null;
    throw error;
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
