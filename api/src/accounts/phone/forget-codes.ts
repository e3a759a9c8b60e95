import type { Queryable } from '../../base/database.ts';

/** Deletes codes that no longer count towards any limit. Returns how many. */
export async function forgetCodes(db: Queryable): Promise<number> {
  const { rowCount } = await db.query(`delete from phone_codes where created_at < now() - interval '1 day'`);
  return rowCount ?? 0;
}
