import type { EntityManager } from '@mikro-orm/postgresql';
import { channels } from '../../base/channels.ts';

/**
 * Ends a user's sessions and closes their sockets when the transaction commits. Call it after the write that makes
 * them void: a sign-in that was under way looks at the user's row again.
 * @param exceptSessionId the caller's own, which stays; null ends all
 */
export async function endSessions(em: EntityManager, userId: number, exceptSessionId: string | null): Promise<void> {
  await em.execute(
    `with ended as (delete from session where sess ->> 'userId' = ? and sid is distinct from ? returning sid)
     select pg_notify('${channels.sessions}', sid) from ended`,
    [String(userId), exceptSessionId],
  );
}
