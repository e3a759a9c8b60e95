import { channels } from '../base/channels.ts';
import type { Pool } from '../base/database.ts';
import type { Listener } from '../base/listener.ts';
import type { Log } from '../base/log.ts';
import { beforeTransaction, decodeCursor, encodeCursor, type MatchCursor } from './match-cursor.ts';
import { cursorOf, type MatchRow, matchColumns, readHorizon } from './read-matches.ts';

export interface FeedEvent {
  cursor: string;
  row: MatchRow;
}

export interface FollowOptions {
  userId: number;
  alertId?: number;
  /** A cursor of an earlier event or page; without it the feed starts now. */
  after?: string;
}

export interface MatchFeed {
  /** Every match of the buyer after the cursor, each once, in the order of visibility. */
  follow(options: FollowOptions): AsyncIterable<FeedEvent>;
  close(): Promise<void>;
}

interface Follower {
  userId: number;
  alertId: number | null;
  cursor: MatchCursor;
  waiting: MatchRow[];
  /** Rows may lie between its cursor and the horizon. */
  behind: boolean;
  wake: (() => void) | undefined;
}

interface Notice {
  tx: string;
  listings?: number[];
  alerts?: number[];
}

/** Rows read for one follower at a time, and how many may wait for a slow one. */
const READ_AT_ONCE = 200;
const SWEEP_MS = 15_000;
const FIRST_RETRY_MS = 15;

/**
 * Tells followers of new matches. NOTIFY only says who should look; what they get is read by cursor, so a lost
 * or late notification delays a match until the sweep and never loses it.
 */
export async function startMatchFeed(pool: Pool, listener: Listener, log: Log): Promise<MatchFeed> {
  const followers = new Set<Follower>();
  let notices: Notice[] = [];
  let running = false;
  let again = false;
  let retryMs = FIRST_RETRY_MS;
  let retry: NodeJS.Timeout | undefined;
  let closed = false;

  /** Marks the followers whose alerts the notices touch. */
  async function markTouched(batch: Notice[]): Promise<void> {
    const users = [...new Set([...followers].map((follower) => follower.userId))];
    if (users.length === 0 || batch.length === 0) return;
    const { rows } = await pool.query<{ userId: number }>(
      `select distinct a.user_id as "userId"
         from matches m join alerts a on a.id = m.alert_id
        where (m.listing_id = any($1::int8[]) or m.alert_id = any($2::int8[]))
          and m.tx = any($3::xid8[]) and a.user_id = any($4::int8[])`,
      [
        batch.flatMap((notice) => notice.listings ?? []),
        batch.flatMap((notice) => notice.alerts ?? []),
        batch.map((notice) => notice.tx),
        users,
      ],
    );
    const touched = new Set(rows.map((row) => row.userId));
    for (const follower of followers) if (touched.has(follower.userId)) follower.behind = true;
  }

  /** Reads for all followers that are behind, in one statement. */
  async function readOn(behind: Follower[], horizon: string): Promise<void> {
    const { rows } = await pool.query<MatchRow & { follower: number }>(
      `select f.n::int4 as follower, ${matchColumns}
         from unnest($1::int8[], $2::int8[], $3::xid8[], $4::int8[], $5::int8[])
              with ordinality as f (user_id, alert_id, tx, after_listing, after_alert, n)
         join alerts a on a.user_id = f.user_id and (f.alert_id is null or a.id = f.alert_id)
        cross join lateral (
          select * from matches
           where alert_id = a.id and alert_version = a.version and tx < $6::xid8
             and (tx, listing_id, alert_id) > (f.tx, f.after_listing, f.after_alert)
           order by tx, listing_id
           limit $7) m
        order by f.n, m.tx, m.listing_id, m.alert_id`,
      [
        behind.map((follower) => follower.userId),
        behind.map((follower) => follower.alertId),
        behind.map((follower) => follower.cursor.tx),
        behind.map((follower) => follower.cursor.listingId),
        behind.map((follower) => follower.cursor.alertId),
        horizon,
        READ_AT_ONCE,
      ],
    );
    const read = new Map<Follower, MatchRow[]>(behind.map((follower) => [follower, []]));
    for (const { follower, ...row } of rows) {
      const target = behind[follower - 1];
      const list = target && read.get(target);
      // Of several alerts each may be cut at the limit: past it the order is not complete.
      if (list && list.length < READ_AT_ONCE) list.push(row);
    }
    for (const [follower, list] of read) {
      const last = list.at(-1);
      if (last) follower.cursor = cursorOf(last);
      follower.behind = list.length === READ_AT_ONCE;
      follower.waiting.push(...list);
      if (list.length > 0) follower.wake?.();
    }
  }

  async function turn(): Promise<void> {
    const batch = notices;
    notices = [];
    await markTouched(batch);
    const ready = [...followers].filter((follower) => follower.behind && follower.waiting.length < READ_AT_ONCE);
    const horizon = await readHorizon(pool);
    if (ready.length > 0) await readOn(ready, horizon);
    // A transaction at or above the horizon is committed but not settled: an older one still runs.
    const unsettled = batch.filter((notice) => BigInt(notice.tx) >= BigInt(horizon));
    notices.push(...unsettled);
    if (unsettled.length > 0) {
      clearTimeout(retry);
      retry = setTimeout(work, retryMs);
      retryMs = Math.min(retryMs * 2, 250);
    } else {
      retryMs = FIRST_RETRY_MS;
    }
    if ([...followers].some((follower) => follower.behind && follower.waiting.length < READ_AT_ONCE)) again = true;
  }

  function work(): void {
    if (closed) return;
    if (running) {
      again = true;
      return;
    }
    running = true;
    again = false;
    turn()
      .catch((error: unknown) => {
        log.warn('the live feed could not read', { error });
        for (const follower of followers) follower.behind = true;
        clearTimeout(retry);
        retry = setTimeout(work, 500);
      })
      .finally(() => {
        running = false;
        if (again) work();
      });
  }

  const sweepAll = () => {
    for (const follower of followers) follower.behind = true;
    work();
  };
  const stopListening = await listener.on(channels.matches, (payload) => {
    try {
      notices.push(JSON.parse(payload) as Notice);
    } catch {
      for (const follower of followers) follower.behind = true;
    }
    work();
  });
  const stopReconnect = listener.onReconnect(sweepAll);
  const sweep = setInterval(sweepAll, SWEEP_MS);
  sweep.unref();

  async function* events({
    userId,
    alertId,
    after,
    signal,
  }: FollowOptions & { signal: AbortSignal }): AsyncGenerator<FeedEvent> {
    const cursor = after === undefined ? beforeTransaction(await readHorizon(pool)) : decodeCursor(after);
    const follower: Follower = { userId, alertId: alertId ?? null, cursor, waiting: [], behind: true, wake: undefined };
    followers.add(follower);
    const wake = () => follower.wake?.();
    signal.addEventListener('abort', wake);
    work();
    try {
      while (!closed && !signal.aborted) {
        const rows = follower.waiting;
        follower.waiting = [];
        for (const row of rows) {
          if (signal.aborted) return;
          yield { cursor: encodeCursor(cursorOf(row)), row };
        }
        if (follower.behind) work();
        if (follower.waiting.length === 0 && !signal.aborted) {
          await new Promise<void>((settle) => {
            follower.wake = settle;
          });
          follower.wake = undefined;
        }
      }
    } finally {
      followers.delete(follower);
      signal.removeEventListener('abort', wake);
    }
  }

  /** A generator's own return() waits for its next event; this one ends at once. */
  function follow(options: FollowOptions): AsyncIterable<FeedEvent> {
    const ended = new AbortController();
    const generator = events({ ...options, signal: ended.signal });
    return {
      [Symbol.asyncIterator]: () => ({
        next: () => generator.next(),
        return: () => {
          ended.abort();
          return generator.return(undefined);
        },
      }),
    };
  }

  return {
    follow,
    async close() {
      closed = true;
      stopListening();
      stopReconnect();
      clearInterval(sweep);
      clearTimeout(retry);
      for (const follower of followers) follower.wake?.();
    },
  };
}
