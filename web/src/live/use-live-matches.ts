import type { ApolloClient } from '@apollo/client';
import { useApolloClient } from '@apollo/client/react';
import { useEffect, useState } from 'react';
import type { MatchCard_MatchFragment } from '../gql/graphql.ts';
import { readFault } from '../lib/server/errors.ts';
import { liveConnection } from '../lib/server/live-connection.ts';
import { announce } from '../lib/state/announce.ts';
import { type EventSink, followMatches } from './follow-matches.ts';
import { addToLists } from './live-cache.ts';
import { LiveStartDocument, MatchAddedDocument, SettleMatchesDocument } from './match-added.ts';
import { matchWords } from './match-words.ts';

/** Matches that arrive within this time are spoken of together. */
const gatherMs = 400;
/** By then the mail has left, and lists that were on their way have come. */
const settleMs = 8000;
/** A cut this long may mean that the session ended. */
const askAfterMs = 2000;
/** Lists may be asked for without a cursor when the server is this slow to give one. */
const patienceMs = 3000;
/** Queries whose answer a lost connection may have made stale, and that hold no older pages. */
const refreshed = new Set(['MyAlerts', 'RecentListings', 'AlertPage', 'Site']);

function openSubscription(client: ApolloClient) {
  return (after: string | undefined, sink: EventSink<MatchCard_MatchFragment>): (() => void) => {
    const subscription = client.subscribe({ query: MatchAddedDocument, variables: { after } }).subscribe({
      next({ data, error }) {
        if (data) sink.next(data.matchAdded);
        else sink.fail(readFault(error).code === 'VALIDATION');
      },
      error: (cause: unknown) => sink.fail(readFault(cause).code === 'VALIDATION'),
      complete: () => sink.fail(false),
    });
    return () => subscription.unsubscribe();
  };
}

async function settle(client: ApolloClient): Promise<void> {
  const { data } = await client.query({ query: SettleMatchesDocument, fetchPolicy: 'network-only' });
  if (data) addToLists(client.cache, data.matches.nodes.toReversed());
}

function refresh(client: ApolloClient): void {
  for (const query of client.getObservableQueries()) {
    // A query that fails again shows that itself.
    const isStale = refreshed.has(query.queryName ?? '') || query.getCurrentResult().error !== undefined;
    if (isStale) query.refetch().catch(() => undefined);
  }
  settle(client).catch(() => undefined);
}

/** Keeps what is on screen true while it is shown. Ends with what it returns. */
function startLive(client: ApolloClient, after: string | undefined): () => void {
  const gathered: MatchCard_MatchFragment[] = [];
  let speaking: ReturnType<typeof setTimeout> | undefined;
  let settling: ReturnType<typeof setTimeout> | undefined;
  let asking: ReturnType<typeof setTimeout> | undefined;
  let wasLost = false;

  const live = followMatches<MatchCard_MatchFragment>({
    after,
    open: openSubscription(client),
    onMatch(match) {
      addToLists(client.cache, [match]);
      gathered.push(match);
      speaking ??= setTimeout(() => {
        announce(matchWords(gathered.splice(0)));
        speaking = undefined;
      }, gatherMs);
      settling ??= setTimeout(() => {
        settling = undefined;
        settle(client).catch(() => undefined);
      }, settleMs);
    },
  });
  const stopWatching = liveConnection.subscribe(() => {
    const state = liveConnection.get();
    if (state === 'lost' && !wasLost) {
      wasLost = true;
      live.restart();
      // A session that ended also cuts the socket, and only an ordinary call can tell: it signs the viewer out.
      asking = setTimeout(() => settle(client).catch(() => undefined), askAfterMs);
    } else if (state === 'connected' && wasLost) {
      wasLost = false;
      clearTimeout(asking);
      refresh(client);
    }
  });
  return () => {
    stopWatching();
    live.stop();
    clearTimeout(speaking);
    clearTimeout(settling);
    clearTimeout(asking);
  };
}

/**
 * Follows the viewer's live matches while mounted.
 * @returns whether lists may be asked for: from then on nothing can fall between a list and live
 */
export function useLiveMatches(): boolean {
  const client = useApolloClient();
  const [isReady, setReady] = useState(false);
  useEffect(() => {
    let stop: (() => void) | undefined;
    let isOver = false;
    const patience = setTimeout(() => setReady(true), patienceMs);
    const start = (after: string | undefined) => {
      if (isOver) return;
      stop = startLive(client, after);
      setReady(true);
    };
    client.query({ query: LiveStartDocument, fetchPolicy: 'no-cache' }).then(
      ({ data }) => start(data?.matches.liveCursor),
      () => start(undefined),
    );
    return () => {
      isOver = true;
      clearTimeout(patience);
      stop?.();
    };
  }, [client]);
  return isReady;
}
