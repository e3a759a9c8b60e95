import { Outlet } from 'react-router-dom';
import { LiveReady } from '../lib/server/live-ready.ts';
import { ConnectionNote } from './ConnectionNote.tsx';
import { useLiveMatches } from './use-live-matches.ts';

/** Stands around all signed-in pages and keeps them live. */
export function LiveFrame() {
  const isReady = useLiveMatches();
  return (
    <LiveReady value={isReady}>
      <Outlet />
      <ConnectionNote />
    </LiveReady>
  );
}
