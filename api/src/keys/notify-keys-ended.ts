import { channels } from '../base/channels.ts';
import type { Queryable } from '../base/database.ts';

/** Makes every process ask whether keys of these users still work, and close the sockets of those that don't. */
export async function notifyKeysEnded(db: Queryable, userIds: readonly number[]): Promise<void> {
  await db.query(`select pg_notify('${channels.keys}', id::text) from unnest($1::int8[]) id`, [userIds]);
}
