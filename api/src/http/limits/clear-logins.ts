import type { Queryable } from '../../base/database.ts';
import { typedKey, userKey } from './limit-keys.ts';

/**
 * Forgets all tries to find an account's password out, from every network, device and session. Looks at all counters:
 * for an operator's commands.
 */
export async function clearLogins(db: Queryable, user: { id: number; username: string }): Promise<void> {
  await db.query(
    "delete from rate_limits where key = any ($2) or (key like 'login-%' and split_part(key, ':', 2) = $1)",
    [
      typedKey(user.username),
      ['password-user', 'code-user', 'code-week-user'].map((prefix) => `${prefix}:${userKey(user.id)}`),
    ],
  );
}
