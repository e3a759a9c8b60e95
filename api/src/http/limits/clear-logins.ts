import type { Queryable } from '../../base/database.ts';
import { typedKey, userKey } from './limit-keys.ts';

/**
 * Forgets all tries to find an account's password out, from every network, device and session. Looks at all counters:
 * for an operator's commands.
 */
export async function clearLogins(db: Queryable, user: { id: number; username: string }): Promise<void> {
  await db.query(
    `delete from rate_limits
      where (key like 'login-%' and split_part(key, ':', 2) = $1)
         or (split_part(key, ':', 1) in ('password-user', 'code-user', 'code-week-user') and split_part(key, ':', 2) = $2)`,
    [typedKey(user.username), userKey(user.id)],
  );
}
