import { channels } from '../../base/channels.ts';
import type { Queryable } from '../../base/database.ts';

/** Deletes sessions and tells every process of each, so that its sockets close when the transaction commits. */
const end = (which: string) =>
  `with ended as (delete from session where sess ->> 'userId' = $1 and ${which} returning sid)
   select pg_notify('${channels.sessions}', sid) from ended`;

/**
 * Ends a user's sessions and closes their sockets when the transaction commits. Call it after the write that makes
 * them void: a sign-in that was under way looks at the user's row again.
 * @param exceptSessionId the caller's own, which stays; null ends all
 * @returns how many ended
 */
export async function endSessions(db: Queryable, userId: number, exceptSessionId: string | null): Promise<number> {
  const { rows: ended } = await db.query(end('sid is distinct from $2'), [String(userId), exceptSessionId]);
  return ended.length;
}

/** The same for one session by the id that its user is shown. @returns whether there was one */
export async function endSession(db: Queryable, userId: number, id: number): Promise<boolean> {
  const { rows: ended } = await db.query(end('id = $2'), [String(userId), id]);
  return ended.length > 0;
}
