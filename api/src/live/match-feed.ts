import { channels, type MatchNotice } from '../base/channels.ts';
import type { Pool } from '../base/database.ts';
import { AppError } from '../base/errors.ts';
import type { Listener } from '../base/listener.ts';
import type { Log } from '../base/log.ts';
import { type Bounds, isHeldBack, readBoundsBefore } from '../placement/positions.ts';
import { beforePlace, decodeCursor, encodeCursor, unknownCursor } from './match-cursor.ts';
import { cursorOf, type MatchRow, readHorizon } from './read-matches.ts';
import { findAffectedUsers, type Reader, readNewMatches } from './read-subscribers.ts';

export interface FeedEvent {
  cursor: string;
  row: MatchRow;
}

export interface SubscribeOptions {
  userId: number;
  alertId?: number;
  /** A cursor of an earlier event or page; without it the feed starts now. */
  after?: string;
}

export interface MatchFeed {
  /**
   * Subscribes to every match of the buyer after the cursor, in the order of visibility. A match that was hidden and shown
   * again comes again.
   * @throws AppError RATE_LIMITED when the process has too many subscribers; from the iterator VALIDATION for an invalid
   *   cursor, CONFLICT for one that is not from this server's history
   */
  subscribe(options: SubscribeOptions): AsyncIterable<FeedEvent>;
  close(): Promise<void>;
}

interface Subscriber extends Reader {
  waiting: MatchRow[];
  /** There may be rows between its cursor and the horizon. */
  needsRead: boolean;
  /** It may have missed notifications, so that it must also wait for transactions that are still running. */
  needsFullRead: boolean;
  /** The positions below which running transactions may still add rows, on one of the servers that were read with it each. */
  pendingBelow: string[];
  /** Its cursor is not from this server's history. */
  hasUnknownCursor: boolean;
  wake: (() => void) | undefined;
}

/** The rows of one read for a subscriber. What has been read is sent also if it is hidden meanwhile, so they are few. */
const ROWS_PER_READ = 40;
/** The next ones are read when fewer rows wait, so that they come while the last ones are sent. */
const READ_BELOW = 10;
/** Subscribers of one statement; while their rows are delivered, the next ones are read. */
const SUBSCRIBERS_PER_READ = 250;
/** All of them are read at each poll. */
const MAX_SUBSCRIBERS = 50_000;
const POLL_MS = 15_000;
const FIRST_RETRY_MS = 15;

/**
 * Starts the feed that delivers new matches to subscribers. A NOTIFY only says which subscribers to read for; the rows are
 * read by cursor, so that a lost notification delays a match until the next poll, but never loses it.
 */
export async function startMatchFeed(
  pool: Pool,
  listener: Listener,
  log: Log,
  { maxSubscribers = MAX_SUBSCRIBERS, pollMs = POLL_MS }: { maxSubscribers?: number; pollMs?: number } = {},
): Promise<MatchFeed> {
  const subscribers = new Set<Subscriber>();
  let notices: MatchNotice[] = [];
  let running = false;
  let isRequested = false;
  let retryMs = FIRST_RETRY_MS;
  let retry: NodeJS.Timeout | undefined;
  let closed = false;

  /** Marks the subscribers whose alerts the notifications are about. */
  async function markAffected(batch: readonly MatchNotice[], users: readonly number[]): Promise<void> {
    if (users.length === 0 || batch.length === 0) return;
    const touched = new Set(await findAffectedUsers(pool, batch, users));
    for (const subscriber of subscribers) if (touched.has(subscriber.userId)) subscriber.needsRead = true;
  }

  const isReady = ({ needsRead: behind, hasUnknownCursor: isForeign, waiting }: Subscriber) =>
    behind && !isForeign && waiting.length < READ_BELOW;

  /** @returns the bounds of each server that was read, below whose horizon all rows were read */
  async function readFor(behind: readonly Subscriber[]): Promise<Bounds[]> {
    // A notification that arrives after the statement has begun must set it again.
    for (const subscriber of behind) subscriber.needsRead = false;
    const { bounds, lists } = await readNewMatches(pool, behind, ROWS_PER_READ);
    for (const [at, subscriber] of behind.entries()) {
      // The notifications of running transactions may be lost.
      if (subscriber.needsFullRead) subscriber.pendingBelow = bounds.map(({ ceiling }) => ceiling);
      subscriber.needsFullRead = false;
      const list = lists[at];
      if (!list) {
        subscriber.hasUnknownCursor = true;
        subscriber.wake?.();
        continue;
      }
      const last = list.at(-1);
      if (!last) continue;
      subscriber.cursor = cursorOf(last);
      if (list.length === ROWS_PER_READ) subscriber.needsRead = true;
      subscriber.waiting.push(...list);
      subscriber.wake?.();
    }
    return bounds;
  }

  /** Marks the subscribers whose running transactions have ended. @returns whether others still wait */
  function checkPending(bounds: readonly Bounds[]): boolean {
    let isPending = false;
    for (const subscriber of subscribers) {
      if (subscriber.pendingBelow.length === 0) continue;
      const left = subscriber.pendingBelow.filter((below) => isHeldBack(String(BigInt(below) - 1n), bounds));
      if (left.length < subscriber.pendingBelow.length) subscriber.needsRead = true;
      if (left.length > 0) isPending = true;
      subscriber.pendingBelow = left;
    }
    return isPending;
  }

  async function readRound(batch: readonly MatchNotice[]): Promise<void> {
    const users = [...new Set([...subscribers].map((subscriber) => subscriber.userId))];
    const before = await readBoundsBefore(pool, users);
    await markAffected(batch, users);
    const ready = [...subscribers].filter(isReady);
    const bounds = await readFor(ready.slice(0, SUBSCRIBERS_PER_READ));
    for (let start = SUBSCRIBERS_PER_READ; start < ready.length; start += SUBSCRIBERS_PER_READ) {
      await readFor(ready.slice(start, start + SUBSCRIBERS_PER_READ));
    }
    const pending = batch.filter((notice) => isHeldBack(notice.position, before ?? bounds));
    notices.push(...pending);
    if (checkPending([...(before ?? []), ...bounds]) || pending.length > 0) {
      clearTimeout(retry);
      retry = setTimeout(startRound, retryMs);
      retryMs = Math.min(retryMs * 2, 250);
    } else {
      retryMs = FIRST_RETRY_MS;
    }
    if ([...subscribers].some(isReady)) isRequested = true;
  }

  function startRound(): void {
    if (closed) return;
    if (running) {
      isRequested = true;
      return;
    }
    running = true;
    isRequested = false;
    const batch = notices;
    notices = [];
    readRound(batch)
      .catch((error: unknown) => {
        log.warn('live feed read failed, will be retried', { error });
        notices.push(...batch);
        markAllForFullRead();
        clearTimeout(retry);
        retry = setTimeout(startRound, 500);
      })
      .finally(() => {
        running = false;
        if (isRequested) startRound();
      });
  }

  /** Marks all subscribers, since notifications may be lost. */
  function markAllForFullRead(): void {
    for (const subscriber of subscribers) Object.assign(subscriber, { needsRead: true, needsFullRead: true });
  }
  const pollAll = () => {
    for (const subscriber of subscribers) subscriber.needsRead = true;
    startRound();
  };
  const stopListening = await listener.on(channels.matches, (payload) => {
    try {
      notices.push(JSON.parse(payload) as MatchNotice);
    } catch {
      markAllForFullRead();
    }
    startRound();
  });
  const stopReconnect = listener.onReconnect(() => {
    markAllForFullRead();
    startRound();
  });
  const pollTimer = setInterval(pollAll, pollMs);
  pollTimer.unref();

  async function* events({
    userId,
    alertId,
    after,
    signal,
  }: SubscribeOptions & { signal: AbortSignal }): AsyncGenerator<FeedEvent> {
    const cursor = after === undefined ? beforePlace(await readHorizon(pool, userId)) : decodeCursor(after);
    const subscriber: Subscriber = {
      userId,
      alertId: alertId ?? null,
      cursor,
      waiting: [],
      needsRead: true,
      needsFullRead: true,
      pendingBelow: [],
      hasUnknownCursor: false,
      wake: undefined,
    };
    subscribers.add(subscriber);
    const wake = () => subscriber.wake?.();
    signal.addEventListener('abort', wake);
    startRound();
    try {
      while (!closed && !signal.aborted) {
        const row = subscriber.waiting.shift();
        // The next rows are read while this one is sent.
        if (isReady(subscriber)) startRound();
        if (row) {
          yield { cursor: encodeCursor(cursorOf(row)), row };
          continue;
        }
        if (subscriber.hasUnknownCursor) throw unknownCursor();
        await new Promise<void>((resolve) => {
          subscriber.wake = resolve;
        });
        subscriber.wake = undefined;
      }
    } finally {
      subscribers.delete(subscriber);
      signal.removeEventListener('abort', wake);
    }
  }

  /** Unlike a generator's own return(), which waits for its next event, this one's ends at once. */
  function subscribe(options: SubscribeOptions): AsyncIterable<FeedEvent> {
    if (subscribers.size >= maxSubscribers) {
      throw new AppError('RATE_LIMITED', 'Too many users follow their matches at the moment. Please try again later.');
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
    subscribe: subscribe,
    async close() {
      closed = true;
      stopListening();
      stopReconnect();
      clearInterval(pollTimer);
      clearTimeout(retry);
      for (const subscriber of subscribers) subscriber.wake?.();
    },
  };
}
