import type { Pool, Queryable } from '../base/database.ts';
import type { Log } from '../base/log.ts';
import { recordSeen } from '../entities/user-activity.ts';

interface KeyUsage {
  /** Counts a request. @param isAdmitted false where it was refused: over the quota, without the plan, an ended key */
  count(key: { id: number; userId: number }, isAdmitted: boolean): void;
  /** Writes the counts. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

const FLUSH_EVERY_MS = 5_000;
const FLUSH_AT_ACCOUNTS = 5_000;

interface Counts {
  ok: number;
  refused: number;
}

/** Counts requests by account and hour, and when each key was last used; both are written every few seconds. */
export function makeKeyUsage(pool: Pool, log: Log, flushEveryMs = FLUSH_EVERY_MS): KeyUsage {
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
      const { rows: owners } = await pool.query<{ id: number }>(
        `update api_keys set last_used_at = now()
          where id = any ($1) and coalesce(last_used_at < now() - interval '1 minute', true) returning user_id as id`,
        [[...keys]],
      );
      await recordSeen(
        pool,
        owners.map(({ id }) => id),
      );
    } catch (error) {
      log.warn('usage of keys could not be written', { error });
    }
  }

  function flush(): Promise<void> {
    writing = writing.then(write);
    return writing;
  }
  const timer = setInterval(() => void flush(), flushEveryMs);
  timer.unref();

  return {
    count({ id, userId }, isAdmitted) {
      const count = counts.get(userId) ?? { ok: 0, refused: 0 };
      count[isAdmitted ? 'ok' : 'refused'] += 1;
      counts.set(userId, count);
      if (isAdmitted) used.add(id);
      if (counts.size >= FLUSH_AT_ACCOUNTS) void flush();
    },
    flush,
    close() {
      clearInterval(timer);
      return flush();
    },
  };
}

/**
 * Writes in the order of accounts, so that two processes don't deadlock. The accounts are locked, so that nothing is written of
 * one that is erased meanwhile.
 */
async function writeCounts(pool: Pool, counts: ReadonlyMap<number, Counts>): Promise<void> {
  const rows = [...counts];
  await pool.query(
    `/* write-api-usage */ insert into api_usage as a (user_id, hour, ok, refused)
     select u.id, date_trunc('hour', now(), 'UTC'), n.ok, n.refused
       from unnest($1::int8[], $2::int4[], $3::int4[]) n(user_id, ok, refused) join users u on u.id = n.user_id
      order by u.id for key share of u
     on conflict (user_id, hour) do update set ok = a.ok + excluded.ok, refused = a.refused + excluded.refused`,
    [rows.map(([userId]) => userId), rows.map(([, { ok }]) => ok), rows.map(([, { refused }]) => refused)],
  );
}

export interface HourUsage {
  /** When the hour begins, in UTC. */
  hour: Date;
  ok: number;
  refused: number;
}

/** The account's requests by keys in each hour of the last 7 days, oldest first, with the hours that have none. */
export async function readUsage(db: Queryable, userId: number): Promise<HourUsage[]> {
  const { rows } = await db.query<HourUsage>(
    `select h.hour, coalesce(u.ok, 0) as ok, coalesce(u.refused, 0) as refused
       from generate_series(date_trunc('hour', now(), 'UTC') - interval '167 hours', date_trunc('hour', now(), 'UTC'),
                            interval '1 hour') h(hour)
       left join api_usage u on u.user_id = $1 and u.hour = h.hour
      order by h.hour`,
    [userId],
  );
  return rows;
}
