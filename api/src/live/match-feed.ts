import { channels, type MatchNotice } from '../base/channels.ts';
import type { Pool } from '../base/database.ts';
import { AppError } from '../base/errors.ts';
import type { Listener } from '../base/listener.ts';
import type { Log } from '../base/log.ts';
import { isHeldBack } from '../entities/shared/match-position.ts';
import { beforePlace, decodeCursor, encodeCursor, foreignCursor } from './match-cursor.ts';
import { findTouchedUsers, type Reader, readOn } from './read-followers.ts';
import { cursorOf, type MatchRow, readHorizon } from './read-matches.ts';

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
  /**
   * Every match of the buyer after the cursor, in the order of visibility; one that is shown again comes again.
   * @throws AppError RATE_LIMITED when more follow than one process may carry; when it is read VALIDATION for a cursor
   * that is not ours, CONFLICT once the server is one whose past the cursor is not of
   */
  follow(options: FollowOptions): AsyncIterable<FeedEvent>;
  close(): Promise<void>;
}

interface Follower extends Reader {
  waiting: MatchRow[];
  /** Rows may lie between its cursor and the horizon. */
  behind: boolean;
  /** It is not read for because of a notice: nothing tells it of what an older transaction holds back. */
  isAnew: boolean;
  /** The position up to which that may be; null where nothing is held back. */
  heldBelow: string | null;
  /** The server is another one now, which never gave out its cursor. */
  isForeign: boolean;
  wake: (() => void) | undefined;
}

/** Rows read for one follower at a time, and how many may wait for a slow one. */
const READ_AT_ONCE = 200;
/** Followers that are read for in one statement; while theirs is told, the next are read for. */
const FOLLOWERS_AT_ONCE = 250;
/** Each is read for at every sweep. */
const MAX_FOLLOWERS = 50_000;
const SWEEP_MS = 15_000;
const FIRST_RETRY_MS = 15;

/**
 * Tells followers of new matches. NOTIFY only says who should look; what they get is read by cursor, so a lost
 * or late notification delays a match until the sweep and never loses it.
 */
export async function startMatchFeed(
  pool: Pool,
  listener: Listener,
  log: Log,
  { maxFollowers = MAX_FOLLOWERS, sweepMs = SWEEP_MS }: { maxFollowers?: number; sweepMs?: number } = {},
): Promise<MatchFeed> {
  const followers = new Set<Follower>();
  let notices: MatchNotice[] = [];
  let running = false;
  let again = false;
  let retryMs = FIRST_RETRY_MS;
  let retry: NodeJS.Timeout | undefined;
  let closed = false;

  /** Marks the followers whose alerts the notices touch. */
  async function markTouched(batch: readonly MatchNotice[]): Promise<void> {
    const users = [...new Set([...followers].map((follower) => follower.userId))];
    if (users.length === 0 || batch.length === 0) return;
    const touched = new Set(await findTouchedUsers(pool, batch, users));
    for (const follower of followers) if (touched.has(follower.userId)) follower.behind = true;
  }

  const isReady = ({ behind, isForeign, waiting }: Follower) => behind && !isForeign && waiting.length < READ_AT_ONCE;

  /** @returns below what everything was read */
  async function readFor(behind: readonly Follower[]): Promise<string> {
    // Only what comes after the statement began may set the mark again.
    for (const follower of behind) follower.behind = false;
    const { horizon, ceiling, lists } = await readOn(pool, behind, READ_AT_ONCE);
    for (const [at, follower] of behind.entries()) {
      // Of what was held back no notice comes any more.
      if (follower.isAnew) follower.heldBelow = ceiling;
      follower.isAnew = false;
      const list = lists[at];
      if (!list) {
        follower.isForeign = true;
        follower.wake?.();
        continue;
      }
      const last = list.at(-1);
      if (!last) continue;
      follower.cursor = cursorOf(last);
      if (list.length === READ_AT_ONCE) follower.behind = true;
      follower.waiting.push(...list);
      follower.wake?.();
    }
    return horizon;
  }

  /** Marks the followers for whom nothing is held back any more. @returns whether something is for others */
  function lookAtHeld(horizon: string): boolean {
    let isHeld = false;
    for (const follower of followers) {
      if (follower.heldBelow === null) continue;
      if (isHeldBack(String(BigInt(follower.heldBelow) - 1n), horizon)) isHeld = true;
      else {
        follower.heldBelow = null;
        follower.behind = true;
      }
    }
    return isHeld;
  }

  async function turn(batch: readonly MatchNotice[]): Promise<void> {
    await markTouched(batch);
    const ready = [...followers].filter(isReady);
    const horizon = await readFor(ready.slice(0, FOLLOWERS_AT_ONCE));
    for (let start = FOLLOWERS_AT_ONCE; start < ready.length; start += FOLLOWERS_AT_ONCE) {
      await readFor(ready.slice(start, start + FOLLOWERS_AT_ONCE));
    }
    const unsettled = batch.filter((notice) => isHeldBack(notice.position, horizon));
    notices.push(...unsettled);
    if (lookAtHeld(horizon) || unsettled.length > 0) {
      clearTimeout(retry);
      retry = setTimeout(work, retryMs);
      retryMs = Math.min(retryMs * 2, 250);
    } else {
      retryMs = FIRST_RETRY_MS;
    }
    if ([...followers].some(isReady)) again = true;
  }

  function work(): void {
    if (closed) return;
    if (running) {
      again = true;
      return;
    }
    running = true;
    again = false;
    const batch = notices;
    notices = [];
    turn(batch)
      .catch((error: unknown) => {
        log.warn('the live feed could not read', { error });
        notices.push(...batch);
        readAllAnew();
        clearTimeout(retry);
        retry = setTimeout(work, 500);
      })
      .finally(() => {
        running = false;
        if (again) work();
      });
  }

  /** Notices may be lost, and this reading has to find what they told of. */
  function readAllAnew(): void {
    for (const follower of followers) Object.assign(follower, { behind: true, isAnew: true });
  }
  const sweepAll = () => {
    for (const follower of followers) follower.behind = true;
    work();
  };
  const stopListening = await listener.on(channels.matches, (payload) => {
    try {
      notices.push(JSON.parse(payload) as MatchNotice);
    } catch {
      readAllAnew();
    }
    work();
  });
  const stopReconnect = listener.onReconnect(() => {
    readAllAnew();
    work();
  });
  const sweep = setInterval(sweepAll, sweepMs);
  sweep.unref();

  async function* events({
    userId,
    alertId,
    after,
    signal,
  }: FollowOptions & { signal: AbortSignal }): AsyncGenerator<FeedEvent> {
    const cursor = after === undefined ? beforePlace(await readHorizon(pool)) : decodeCursor(after);
    const follower: Follower = {
      userId,
      alertId: alertId ?? null,
      cursor,
      waiting: [],
      behind: true,
      isAnew: true,
      heldBelow: null,
      isForeign: false,
      wake: undefined,
    };
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
        if (follower.isForeign) throw foreignCursor();
        if (follower.behind) work();
        if (follower.waiting.length === 0 && !signal.aborted) {
          await new Promise<void>((resolve) => {
            follower.wake = resolve;
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
    if (followers.size >= maxFollowers) {
      throw new AppError('RATE_LIMITED', 'Too many follow their matches at the moment. Please try again later.');
    }
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
