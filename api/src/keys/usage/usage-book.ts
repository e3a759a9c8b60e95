import type { Pool } from '../../base/database.ts';
import type { Log } from '../../base/log.ts';

export interface UsageBook {
  /** Notes a request of a key. @param isLetIn false where it was refused: too many, without the plan, an ended key */
  note(key: { id: number; userId: number }, isLetIn: boolean): void;
  /** Writes what was noted. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

const FLUSH_EVERY_MS = 5_000;
const FLUSH_AT_ACCOUNTS = 5_000;

interface Counts {
  ok: number;
  refused: number;
}

/** Counts requests of keys by account and hour, and when a key was last used; written together, every few seconds. */
export function makeUsageBook(pool: Pool, log: Log, flushEveryMs = FLUSH_EVERY_MS): UsageBook {
  let counts = new Map<number, Counts>();
  let used = new Set<number>();
  let writing = Promise.resolve();

  async function write(): Promise<void> {
    if (counts.size === 0) return;
    const [written, keys] = [counts, used];
    counts = new Map();
    used = new Set();
    try {
      await writeCounts(pool, written);
      await pool.query(
        `with touched as (
           update api_keys set last_used_at = now()
            where id = any ($1) and coalesce(last_used_at < now() - interval '1 minute', true) returning user_id)
         update users set last_seen_at = now() from (select distinct user_id from touched) t
          where id = t.user_id and last_seen_at < now() - interval '1 hour'`,
        [[...keys]],
      );
    } catch (error) {
      log.warn('usage of keys not written', { error });
    }
  }

  function flush(): Promise<void> {
    writing = writing.then(write);
    return writing;
  }
  const timer = setInterval(() => void flush(), flushEveryMs);
  timer.unref();

  return {
    note({ id, userId }, isLetIn) {
      const count = counts.get(userId) ?? { ok: 0, refused: 0 };
      count[isLetIn ? 'ok' : 'refused'] += 1;
      counts.set(userId, count);
      if (isLetIn) used.add(id);
      if (counts.size >= FLUSH_AT_ACCOUNTS) void flush();
    },
    flush,
    close() {
      clearInterval(timer);
      return flush();
    },
  };
}

/** In the order of accounts, so that two processes don't wait for each other. */
async function writeCounts(pool: Pool, counts: ReadonlyMap<number, Counts>): Promise<void> {
  const rows = [...counts].sort(([a], [b]) => a - b);
  await pool.query(
    `insert into api_usage as a (user_id, hour, ok, refused)
     select user_id, date_trunc('hour', now(), 'UTC'), ok, refused
       from unnest($1::int8[], $2::int4[], $3::int4[]) n(user_id, ok, refused)
     on conflict (user_id, hour) do update set ok = a.ok + excluded.ok, refused = a.refused + excluded.refused`,
    [rows.map(([userId]) => userId), rows.map(([, { ok }]) => ok), rows.map(([, { refused }]) => refused)],
  );
}
