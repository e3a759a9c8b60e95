import type { Queryable } from '../base/database.ts';

/** Deletes keys that ended 30 days ago, and counts that no chart shows any more. */
export async function forgetApiKeys(db: Queryable): Promise<void> {
  await db.query("delete from api_keys where least(revoked_at, expires_at) < now() - interval '30 days'");
  await db.query("delete from api_usage where hour < now() - interval '8 days'");
}
