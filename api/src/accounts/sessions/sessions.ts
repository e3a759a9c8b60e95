import type { EntityManager } from '@mikro-orm/postgresql';
import { channels } from '../../base/channels.ts';
import { inTransaction, type Pool, type Queryable } from '../../base/database.ts';
import { AppError } from '../../base/errors.ts';
import { sqlOf } from '../../entities/sql-of.ts';
import { recordSeen } from '../../entities/user-activity.ts';
import { endLinksOfUser } from '../../listings/shared-links.ts';
import {
  moveSubscriptions,
  removeSubscriptions,
  removeSubscriptionsOf,
} from '../../notify/channels/push/subscriptions.ts';
import { ADMIN_ID } from '../../policies/admin.ts';
import type { Viewer } from '../signed-in.ts';

/** A session as its owner sees it. The `id` is not the secret session id, which is never shown. */
export interface ShownSession {
  id: number;
  browser: string | null;
  system: string | null;
  signedInAt: Date;
  lastUsedAt: Date;
  expiresAt: Date;
  isCurrent: boolean;
}

const SHOWN = 100;

/** Lists the viewer's sessions: the current one first, then by their last use. */
export async function listSessions(em: EntityManager, viewer: Viewer): Promise<ShownSession[]> {
  const { rows } = await sqlOf(em).query<ShownSession>(
    `select id, sess ->> 'browser' as browser, sess ->> 'system' as system, created_at as "signedInAt",
            last_used_at as "lastUsedAt", expire::timestamptz as "expiresAt", sid is not distinct from $1 as "isCurrent"
       from session where sess ->> 'userId' = $2 and expire > now()
      order by 7 desc, last_used_at desc, id desc limit ${SHOWN}`,
    [viewer.sessionId, String(viewer.id)],
  );
  return rows;
}

/** Deletes sessions and notifies every process of each, so that its sockets close when the transaction commits. */
const endWhere = (which: string) =>
  `with ended as (delete from session where ${which} returning id, sid, sess)
   select id, (sess ->> 'userId')::int8 as "userId", pg_notify('${channels.sessions}', sid) from ended`;

/**
 * Ends a user's sessions, the push messages to their browsers and all shared links, any of which may have been made in one of
 * the sessions, and closes their sockets, when the transaction commits. It must be called after the write that makes the
 * sessions void, because a login that is under way reads the user's row again.
 * @param exceptSessionId the caller's own, which is kept; null ends all
 * @returns how many ended
 */
export async function endSessions(db: Queryable, userId: number, exceptSessionId: string | null): Promise<number> {
  const which = `sess ->> 'userId' = $1 and sid is distinct from $2`;
  const { rows: ended } = await db.query(endWhere(which), [String(userId), exceptSessionId]);
  await removeSubscriptions(db, userId, exceptSessionId);
  await endLinksOfUser(db, userId);
  return ended.length;
}

/** Ends one session as `endSessions` does. @returns whether there was one */
async function endOne(db: Queryable, which: string, values: readonly unknown[]): Promise<boolean> {
  const { rows: ended } = await db.query<{ id: number; userId: number | null }>(endWhere(which), [...values]);
  for (const { id, userId } of ended) if (userId !== null) await removeSubscriptionsOf(db, userId, id);
  return ended.length > 0;
}

/** Ends the session in which its user signs out. */
export const endSession = (pool: Pool, sessionId: string): Promise<boolean> =>
  inTransaction(pool, (client) => endOne(client, 'sid = $1', [sessionId]));

/**
 * Ends the session in whose browser somebody signs in again. The push messages to the browser go on if it is the same user.
 * @param replace stores the new session, and returns its secret id
 */
export async function replaceSession(
  pool: Pool,
  userId: number,
  formerSessionId: string,
  replace: () => Promise<string>,
): Promise<void> {
  const { rows } = await pool.query<{ id: number; formerUserId: number | null }>(
    `select id, (sess ->> 'userId')::int8 as "formerUserId" from session where sid = $1`,
    [formerSessionId],
  );
  const sessionId = await replace();
  await inTransaction(pool, async (client) => {
    for (const { id, formerUserId } of rows) {
      await moveSubscriptions(client, userId, id, sessionId);
      if (formerUserId !== null) await removeSubscriptionsOf(client, formerUserId, id);
    }
    await client.query('select pg_notify($1, $2)', [channels.sessions, formerSessionId]);
  });
}

/**
 * Ends one of the viewer's sessions by its `id` in the list.
 * @throws AppError NOT_FOUND when it has ended or is another user's
 */
export async function signOutDevice(em: EntityManager, viewer: Viewer, id: number): Promise<number> {
  const which = `sess ->> 'userId' = $1 and id = $2`;
  const isEnded = await em.transactional((tx) => endOne(sqlOf(tx), which, [String(viewer.id), id]));
  if (!isEnded) throw new AppError('NOT_FOUND', 'Session not found');
  return id;
}

/** The error for a request whose session has ended since it was read. */
export const sessionEnded = (): AppError => new AppError('UNAUTHENTICATED', 'Please sign in first.');

/**
 * Locks the caller's session until the transaction ends. It may have ended since the request was read, and without the
 * check the transaction could restore access that was taken away.
 * @throws AppError UNAUTHENTICATED when it has ended
 */
export async function holdSession(db: Queryable, sessionId: string | null): Promise<void> {
  const { rows } = await db.query('select 1 from session where sid = $1 and expire > now() for update', [sessionId]);
  if (rows.length === 0) throw sessionEnded();
}

/** Reads which of these sessions have not ended. */
export async function readLiveSessions(db: Queryable, sessionIds: readonly string[]): Promise<Set<string>> {
  const { rows } = await db.query<{ sid: string }>('select sid from session where sid = any($1) and expire > now()', [
    sessionIds,
  ]);
  return new Set(rows.map(({ sid }) => sid));
}

/** Records that the password was entered in a session now. @throws AppError UNAUTHENTICATED when it has ended */
export async function recordPasswordEntry(db: Queryable, sessionId: string): Promise<void> {
  // The session's own `save` would restore one that has ended meanwhile.
  const { rowCount } = await db.query(
    `update session set sess = jsonb_set(sess::jsonb, '{passwordGivenAt}', to_jsonb($2::int8))::json
      where sid = $1 and expire > now()`,
    [sessionId, Date.now()],
  );
  if (rowCount === 0) throw sessionEnded();
}

/** How long a session lasts without use, in milliseconds. The database also limits its total duration. */
export const SESSION_IDLE_MS = 30 * 24 * 3_600_000;
export const ADMIN_IDLE_MS = 30 * 60_000;

const idle = `interval '1 millisecond' * case sess ->> 'userId' when '${ADMIN_ID}' then ${ADMIN_IDLE_MS} else ${SESSION_IDLE_MS} end`;

/**
 * Extends a session from now, and records when its user was last seen. It should be called once an hour, and once a minute
 * for the admin.
 */
export async function extendSession(db: Queryable, sessionId: string): Promise<void> {
  const { rows } = await db.query<{ userId: number | null }>(
    `update session set expire = now() + ${idle}, last_used_at = now() where sid = $1 and expire > now()
     returning (sess ->> 'userId')::int8 as "userId"`,
    [sessionId],
  );
  const users = rows.flatMap(({ userId }) => userId ?? []);
  await recordSeen(db, users);
}
