import type { EntityManager } from '@mikro-orm/postgresql';
import { sqlOf } from '../../entities/sql-of.ts';
import type { Viewer } from '../signed-in.ts';

/** A signed-in browser as its owner sees it. Its `id` opens nothing: what does, never leaves the server. */
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

/** Where the viewer is signed in: the caller's own session first, then those that were used last. */
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
