import type { Queryable } from '../../base/database.ts';
import { ADMIN_ID } from '../../policies/admin.ts';

/** How long a session lasts without use, in milliseconds. The database holds it to a longest time as well. */
export const SESSION_IDLE_MS = 30 * 24 * 3_600_000;
export const ADMIN_IDLE_MS = 30 * 60_000;

const idle = `interval '1 millisecond' * case sess ->> 'userId' when '${ADMIN_ID}' then ${ADMIN_IDLE_MS} else ${SESSION_IDLE_MS} end`;

/**
 * Moves a session's end, counted from now, and notes that its user was here; meant for once an hour, and of the admin's
 * for once a minute.
 */
export async function touchLastSeen(db: Queryable, sessionId: string): Promise<void> {
  await db.query(
    `with kept as (
       update session set expire = now() + ${idle}, last_used_at = now() where sid = $1 and expire > now()
       returning (sess ->> 'userId')::int8 as user_id)
     update users set last_seen_at = now() from kept
      where id = kept.user_id and last_seen_at < now() - interval '1 hour'`,
    [sessionId],
  );
}
