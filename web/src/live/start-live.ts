import type { ApolloClient } from '@apollo/client';
import type { LiveStartQuery, MatchCard_MatchFragment } from '../gql/graphql.ts';
import { liveConnection } from '../lib/server/client/live-connection.ts';
import { readFault } from '../lib/server/faults/errors.ts';
import { announce } from '../lib/state/announce.ts';
import { noteNewMatch } from '../lib/state/new-matches.ts';
import { type EventSink, type Follow, followMatches } from './follow-matches.ts';
import { addToLists, dropListsBut } from './live-cache.ts';
import { LiveStartDocument, MatchAddedDocument, SettleMatchesDocument } from './match-added.ts';
import { matchWords } from './match-words.ts';

export type LiveStart = LiveStartQuery['matches'];

/** Matches that arrive within this time are spoken of together. */
const gatherMs = 400;
/** By then the mail has left, and lists that were on their way have come. */
const settleMs = 8000;
/** A cut this long may mean that the session ended. */
const askAfterMs = 2000;
/** A whole town of browsers comes back at once; each asks at its own moment. */
const jitterMs = 1000;

/** No cursor of the server's, or one from before it was restored to another state. */
function isRefused(cause: unknown): boolean {
  const { code, fields } = readFault(cause);
  return code === 'CONFLICT' || (code === 'VALIDATION' && 'after' in fields);
}

function openSubscription(client: ApolloClient) {
  return (after: string | undefined, sink: EventSink<MatchCard_MatchFragment>): (() => void) => {
    const subscription = client.subscribe({ query: MatchAddedDocument, variables: { after } }).subscribe({
      next({ data, error }) {
        if (data) sink.next(data.matchAdded);
        else sink.fail(isRefused(error));
      },
      error: (cause: unknown) => sink.fail(isRefused(cause)),
      complete: () => sink.fail(false),
    });
    return () => subscription.unsubscribe();
  };
}

async function settle(client: ApolloClient): Promise<void> {
  const { data } = await client.query({ query: SettleMatchesDocument, fetchPolicy: 'network-only' });
  if (data) addToLists(client.cache, data.matches.nodes.toReversed());
}

/** Where live begins, and what is there already. */
export async function readStart(client: ApolloClient): Promise<LiveStart | undefined> {
  const { data } = await client.query({ query: LiveStartDocument, fetchPolicy: 'no-cache' });
  return data?.matches;
}

/** Lists that no page shows are asked for anew when one does: nothing else tells them what live has passed over. */
function dropHiddenLists(client: ApolloClient): void {
  const shown = new Set<string | null>();
  for (const query of client.getObservableQueries()) {
    const { data } = query.getCurrentResult();
    if (typeof data !== 'object' || data === null || !('matches' in data)) continue;
    const { alertId } = query.variables;
    shown.add(typeof alertId === 'string' ? alertId : null);
  }
  dropListsBut(client.cache, shown);
}

/** What is on screen, asked for again: all of it may have changed while nobody could say so. */
function refresh(client: ApolloClient): void {
  // A query that fails again shows that itself.
  client.refetchQueries({ include: 'active' }).catch(() => undefined);
}

export function noteMatch({ alert, listing, matchedAt }: MatchCard_MatchFragment): void {
  noteNewMatch({ alertId: alert.id, listingId: listing.id, matchedAt });
}

/**
 * Keeps what is on screen true while it is shown: new matches come in, and after a cut everything is asked for again.
 * @param onStart told what is there when it begins anew, as its cursor was refused
 */
export function startLive(
  client: ApolloClient,
  after: string | undefined,
  onStart: (nodes: LiveStart['nodes']) => void,
): Pick<Follow, 'cursor' | 'stop'> {
  const gathered: MatchCard_MatchFragment[] = [];
  const timers = new Map<'speak' | 'settle' | 'ask' | 'refresh', ReturnType<typeof setTimeout>>();
  let wasLost = false;
  let isStopped = false;

  function once(name: 'speak' | 'settle' | 'ask' | 'refresh', delayMs: number, act: () => void): void {
    if (timers.has(name)) return;
    const run = () => {
      timers.delete(name);
      act();
    };
    timers.set(name, setTimeout(run, delayMs));
  }
  const refreshSoon = () => once('refresh', Math.random() * jitterMs, () => refresh(client));
  const settleQuietly = () => void settle(client).catch(() => undefined);

  const live = followMatches<MatchCard_MatchFragment>({
    after,
    open: openSubscription(client),
    async startAnew() {
      await new Promise((settle) => setTimeout(settle, Math.random() * jitterMs));
      const start = await readStart(client);
      // Whoever signed out meanwhile is told of nothing, and nothing is asked for.
      if (isStopped) return undefined;
      dropHiddenLists(client);
      refreshSoon();
      if (start) onStart(start.nodes);
      return start?.liveCursor;
    },
    onMatch(match) {
      addToLists(client.cache, [match]);
      noteMatch(match);
      gathered.push(match);
      once('speak', gatherMs, () => announce(matchWords(gathered.splice(0))));
      once('settle', settleMs, settleQuietly);
    },
  });
  const stopWatching = liveConnection.subscribe(() => {
    const state = liveConnection.get();
    if (state === 'lost' && !wasLost) {
      wasLost = true;
      live.restart();
      // A session that ended also cuts the socket, and only an ordinary call can tell: it signs the viewer out.
      once('ask', askAfterMs, settleQuietly);
    } else if (state === 'connected' && wasLost) {
      wasLost = false;
      clearTimeout(timers.get('ask'));
      timers.delete('ask');
      refreshSoon();
    }
  });
  return {
    cursor: live.cursor,
    stop() {
      isStopped = true;
      stopWatching();
      live.stop();
      for (const timer of timers.values()) clearTimeout(timer);
    },
  };
}
