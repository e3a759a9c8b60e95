import type { Queryable } from '../base/database.ts';

const AT_ONCE = 5_000;

/**
 * Deletes counts of tries and requests whose time is over, a bounded number a statement: they name network addresses.
 * @returns how many went
 */
export async function forgetTries(db: Queryable, atOnce = AT_ONCE): Promise<number> {
  let gone = 0;
  for (;;) {
    const { rowCount } = await db.query(
      `delete from rate_limits where key in (
         select key from rate_limits where expire < extract(epoch from now()) * 1000 - 60000
          order by expire limit $1 for update skip locked)`,
      [atOnce],
    );
    gone += rowCount ?? 0;
    if ((rowCount ?? 0) < atOnce) return gone;
  }
}
