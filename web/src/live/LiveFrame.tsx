import { useApolloClient } from '@apollo/client/react';
import { useEffect, useState } from 'react';
import { Outlet, useNavigate } from 'react-router-dom';
import { useViewer } from '../features/account/viewer.ts';
import { LiveReady, liveCursor } from '../lib/server/client/live-connection.ts';
import { followPresses } from '../lib/server/push/browser-push.ts';
import { isServer } from '../lib/state/drawn.ts';
import { startNewCars } from '../lib/state/new-cars.ts';
import { offlineUser } from '../lib/state/offline.ts';
import { ConnectionNote } from './ConnectionNote.tsx';
import { readStart, startLive } from './start-live.ts';

/** The frame of all signed-in pages, which keeps them live. */
export function LiveFrame() {
  const { viewer } = useViewer();
  const isReady = useLiveMatches(viewer?.id ?? '');
  const navigate = useNavigate();
  useEffect(() => followPresses((path) => void navigate(path)), [navigate]);
  return (
    <LiveReady value={isReady}>
      <Outlet />
      <ConnectionNote />
    </LiveReady>
  );
}

/** Lists are fetched without a cursor when the server takes longer than this to give one. */
const timeoutMs = 3000;

/** The first view is there before the code of what can be read offline is loaded. */
const storeAfterMs = 4000;

/** The cursor from which live updates continue for this viewer, if they ran before. */
function keptCursor(userId: string): string | undefined {
  const kept = liveCursor.get();
  return kept?.userId === userId ? kept.cursor : undefined;
}

/**
 * Follows the viewer's live matches while mounted.
 * @returns whether lists may be fetched: from then on no match can be missed between a list and the live updates
 */
function useLiveMatches(userId: string): boolean {
  const client = useApolloClient();
  const [isReady, setReady] = useState(() => isServer || keptCursor(userId) !== undefined);
  useEffect(() => {
    if (userId) offlineUser.set(userId);
    let live: ReturnType<typeof startLive> | undefined;
    let isOver = false;
    const start = (after: string | undefined) => {
      if (isOver) return;
      live = startLive(client, after, startNewCars);
      setReady(true);
    };
    const timer = setTimeout(() => setReady(true), timeoutMs);
    const kept = keptCursor(userId);
    if (kept !== undefined) start(kept);
    else {
      readStart(client).then(
        (found) => {
          if (!isOver) startNewCars(found?.me?.newCount ?? null);
          start(found?.matches.liveCursor);
        },
        () => start(undefined),
      );
    }
    let stopStoring: (() => void) | undefined;
    const storing = setTimeout(() => {
      import('./store-while-shown.ts').then(
        ({ storeWhileShown }) => {
          if (!isOver) stopStoring = storeWhileShown(client, userId, () => live?.cursor());
        },
        // The next page tries again.
        () => undefined,
      );
    }, storeAfterMs);
    return () => {
      isOver = true;
      stopStoring?.();
      clearTimeout(storing);
      clearTimeout(timer);
      const cursor = live?.cursor();
      live?.stop();
      liveCursor.set(cursor === undefined ? null : { userId, cursor });
    };
  }, [client, userId]);
  return isReady;
}
