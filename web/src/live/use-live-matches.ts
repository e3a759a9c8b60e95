import { useApolloClient } from '@apollo/client/react';
import { useEffect, useState } from 'react';
import { liveCursor } from '../lib/server/client/live-connection.ts';
import { followOtherTabs, type NoticedMatch, startNewMatches } from '../lib/state/new-matches.ts';
import { type LiveStart, readStart, startLive } from './start-live.ts';

/** Lists may be asked for without a cursor when the server is this slow to give one. */
const patienceMs = 3000;

/** Where live goes on for this viewer, if it ran before on this page. */
function keptCursor(userId: string): string | undefined {
  const kept = liveCursor.get();
  return kept?.userId === userId ? kept.cursor : undefined;
}

const noticed = (nodes: LiveStart['nodes']): NoticedMatch[] =>
  nodes
    .filter(({ listing }) => !listing.viewed)
    .map(({ matchedAt, alert, listing }) => ({ matchedAt, alertId: alert.id, listingId: listing.id }));

/**
 * Follows the viewer's live matches while mounted.
 * @returns whether lists may be asked for: from then on nothing can fall between a list and live
 */
export function useLiveMatches(userId: string): boolean {
  const client = useApolloClient();
  const [isReady, setReady] = useState(() => keptCursor(userId) !== undefined);
  useEffect(() => {
    let live: ReturnType<typeof startLive> | undefined;
    let isOver = false;
    const start = (after: string | undefined) => {
      if (isOver) return;
      live = startLive(client, after, (nodes) => startNewMatches(userId, noticed(nodes)));
      setReady(true);
    };
    const patience = setTimeout(() => setReady(true), patienceMs);
    const kept = keptCursor(userId);
    if (kept !== undefined) start(kept);
    else {
      readStart(client).then(
        (found) => {
          if (!isOver) startNewMatches(userId, noticed(found?.nodes ?? []));
          start(found?.liveCursor);
        },
        () => {
          if (!isOver) startNewMatches(userId);
          start(undefined);
        },
      );
    }
    const stopTabs = followOtherTabs();
    return () => {
      isOver = true;
      clearTimeout(patience);
      stopTabs();
      const cursor = live?.cursor();
      live?.stop();
      liveCursor.set(cursor === undefined ? null : { userId, cursor });
    };
  }, [client, userId]);
  return isReady;
}
