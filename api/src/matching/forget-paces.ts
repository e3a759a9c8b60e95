import type { Queryable } from '../base/database.ts';

/**
 * Removes what no longer puts a mail off: `alert_paces` stays as small as what was mailed of late. Waits for nobody who
 * is about to mail. Returns how many rows went.
 */
export async function forgetPaces(db: Queryable): Promise<number> {
  const { rowCount } = await db.query(
    `delete from alert_paces where alert_id in (
       select alert_id from alert_paces where last_mailed_at < now() - interval '5 minutes' for update skip locked)`,
  );
  return rowCount ?? 0;
}
