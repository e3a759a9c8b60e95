import type { Queryable } from '../base/database.ts';

/** Deletes counts of tries whose time is over: they name network addresses. @returns how many went */
export async function forgetTries(db: Queryable): Promise<number> {
  const { rowCount } = await db.query(
    'delete from rate_limits where expire < extract(epoch from now()) * 1000 - 60000',
  );
  return rowCount ?? 0;
}
