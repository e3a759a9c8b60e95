import { Outlet } from 'react-router-dom';
import { useViewer } from '../features/account/viewer.ts';
import { LiveReady } from '../lib/server/client/live-ready.ts';
import { ConnectionNote } from './ConnectionNote.tsx';
import { useLiveMatches } from './use-live-matches.ts';

/** Stands around all signed-in pages and keeps them live. */
export function LiveFrame() {
  const { viewer } = useViewer();
  const isReady = useLiveMatches(viewer?.id ?? '');
  return (
    <LiveReady value={isReady}>
      <Outlet />
      <ConnectionNote />
    </LiveReady>
  );
}
