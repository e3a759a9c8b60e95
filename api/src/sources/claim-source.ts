import type { Pool, Queryable } from '../base/database.ts';
import type { SourceKind, SourceSettings } from './source-settings.ts';

const SHORTEST_WAIT_MS = 100;

export interface SourceCursor {
  /** append: how many records were stored. */
  offset?: number;
  /** newest-first: how far from the top a read that broke off had come. */
  reach?: number;
}

export interface ClaimedSource {
  name: string;
  kind: SourceKind;
  settings: Omit<SourceSettings, 'name' | 'kind' | 'ended'>;
  cursor: SourceCursor;
  etag: string | null;
  lastModified: string | null;
  firstReadDone: boolean;
  failures: number;
}

/** The names of the sources whose time has come, the longest waiting first. */
export async function dueSources(db: Queryable): Promise<string[]> {
  const { rows } = await db.query<{ name: string }>(
    `select name from sources where kind <> 'push' and next_poll_at <= now() order by next_poll_at, name`,
  );
  return rows.map(({ name }) => name);
}

/** Milliseconds until the next source is due; null when none ever is. Never 0: who waits for it must not spin. */
export async function untilNextPoll(db: Queryable): Promise<number | null> {
  const { rows } = await db.query<{ ms: number | null }>(
    `select ceil(extract(epoch from min(next_poll_at) - now()) * 1000)::float8 as ms
     from sources where kind <> 'push' and next_poll_at < 'infinity'`,
  );
  const ms = rows[0]?.ms ?? null;
  return ms === null ? null : Math.max(SHORTEST_WAIT_MS, ms);
}

const claim = `
  update sources set last_polled_at = now(), next_poll_at = now() + coalesce((settings ->> 'everySeconds')::float8, 60) * interval '1 s'
  where name = $1 and kind <> 'push' and next_poll_at <= now()
  returning name, kind, settings, cursor, etag, last_modified as "lastModified", first_read_done as "firstReadDone", failures`;

/**
 * Runs `work` while no one else polls the source; null when it is being polled or not due. The lock is the session's,
 * so it ends with its holder, and every write to the source's row goes through `db`: who lost the lock can't write.
 */
export async function withSource<T>(
  pool: Pool,
  name: string,
  work: (source: ClaimedSource, db: Queryable) => Promise<T>,
): Promise<T | null> {
  const client = await pool.connect();
  let broken: Error | undefined;
  const onError = (error: Error) => {
    broken = error;
  };
  client.on('error', onError);
  const key = `poll:${name}`;
  try {
    const lock = await client.query<{ held: boolean }>('select pg_try_advisory_lock(hashtextextended($1, 0)) as held', [
      key,
    ]);
    if (lock.rows[0]?.held !== true) return null;
    try {
      const { rows } = await client.query<ClaimedSource>(claim, [name]);
      const source = rows[0];
      return source ? await work(source, client) : null;
    } finally {
      await client.query('select pg_advisory_unlock(hashtextextended($1, 0))', [key]).catch(onError);
    }
  } finally {
    client.off('error', onError);
    client.release(broken);
  }
}
