import type { FeedEvent, FollowOptions, MatchFeed } from '../live/match-feed.ts';

/**
 * The feed as an iterator that ends at once when its subscriber leaves: a generator that waits for the next match
 * would only see its return() after it.
 */
export function followMatches(
  feed: Pick<MatchFeed, 'follow'>,
  options: Omit<FollowOptions, 'signal'>,
): AsyncIterableIterator<FeedEvent> {
  const leaving = new AbortController();
  const events = feed.follow({ ...options, signal: leaving.signal })[Symbol.asyncIterator]();
  return {
    next: () => events.next(),
    async return() {
      leaving.abort();
      await events.return?.();
      return { done: true, value: undefined };
    },
    [Symbol.asyncIterator]() {
      return this;
    },
  };
}
