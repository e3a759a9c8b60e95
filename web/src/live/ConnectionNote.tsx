import { useApolloClient } from '@apollo/client/react';
import { chakra } from '@chakra-ui/react';
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'react-router-dom';
import { useLiveConnection } from '../lib/server/client/live-connection.ts';
import { isServer } from '../lib/state/drawn.ts';
import { callKey, keptShown, updateReady, waitingChanges } from '../lib/state/offline.ts';
import { useStore } from '../lib/state/store.ts';
import { plural, untilText } from '../lib/text/time.ts';
import { Button } from '../ui/parts/Button.tsx';
import { LiveDot } from '../ui/parts/LiveDot.tsx';

/** An interruption shorter than this is not reported. */
const graceMs = 1200;
const backMs = 2500;

const Pill = chakra('div', {
  base: {
    position: 'fixed',
    left: '50%',
    bottom: { base: 'calc(74px + env(safe-area-inset-bottom))', lg: '6' },
    transform: 'translateX(-50%)',
    zIndex: 'bar',
    display: 'flex',
    alignItems: 'center',
    gap: '2',
    minH: '36px',
    px: '4',
    py: '1.5',
    bg: 'panel',
    color: 'muted',
    fontSize: 'sm',
    lineHeight: '1.35',
    whiteSpace: 'nowrap',
    borderWidth: '1px',
    borderColor: 'line',
    // A circle at the ends of one line, and no more round with two.
    borderRadius: '20px',
    boxShadow: 'pop',
    animation: 'fadeIn 200ms',
  },
});

type Shown = 'nothing' | 'lost' | 'back';

/**
 * A quiet note that live updates are interrupted, since when what is shown may have changed, what waits, that they continue,
 * and that there is a new version; polite for screen readers.
 */
export function ConnectionNote() {
  const keptAt = useKeptAt();
  const connection = useLiveConnection();
  const waiting = useStore(waitingChanges);
  const isOnline = useOnline();
  const isLost = connection === 'lost' || keptAt !== null || !isOnline || waiting > 0;
  const waited = useRef(0);
  waited.current = isLost ? Math.max(waited.current, waiting) : waited.current;
  const [shown, setShown] = useState<Shown>('nothing');
  const [lostAt, setLostAt] = useState(0);
  useEffect(() => {
    if (isLost) {
      setLostAt(Date.now());
      const timer = setTimeout(() => setShown('lost'), graceMs);
      return () => clearTimeout(timer);
    }
    setShown((before) => (before === 'lost' ? 'back' : before));
    const timer = setTimeout(() => {
      waited.current = 0;
      setShown('nothing');
    }, backMs);
    return () => clearTimeout(timer);
  }, [isLost]);
  const isUpdateReady = useStore(updateReady);
  return (
    <div role="status">
      {shown === 'nothing' ? (
        isUpdateReady ? (
          <Pill pr="1.5">
            <span>A new version is ready.</span>
            <Button variant="ghost" size="sm" onClick={() => location.reload()}>
              Reload
            </Button>
          </Pill>
        ) : null
      ) : (
        <Pill>
          <LiveDot on={shown === 'back'} />
          <div>
            {shown === 'lost' ? lostText(keptAt, lostAt) : 'Connected again.'}
            {shown === 'lost' && waiting > 0 ? (
              <div>{plural(waiting, 'change waits', 'changes wait')} for the connection.</div>
            ) : null}
            {shown === 'back' && waited.current > 0 && waiting === 0 ? (
              <div>{plural(waited.current, 'change was', 'changes were')} sent.</div>
            ) : null}
          </div>
        </Pill>
      )}
    </div>
  );
}

/** A browser knows that it is offline, but not that it is online. */
function lostText(keptAt: number | null, lostAt: number): string {
  if (keptAt === null && navigator.onLine) return 'Connection lost. Trying again…';
  const time = untilText(new Date(keptAt ?? lostAt), new Date());
  return `Offline. Showing what was there ${time.includes(',') ? 'on' : 'at'} ${time}.`;
}

/** Whether the browser has a network. The socket of a device that lost it counts as open for a while. */
function useOnline(): boolean {
  const [isOnline, setOnline] = useState(isServer || navigator.onLine);
  useEffect(() => {
    const look = () => setOnline(navigator.onLine);
    addEventListener('online', look);
    addEventListener('offline', look);
    return () => {
      removeEventListener('online', look);
      removeEventListener('offline', look);
    };
  }, []);
  return isOnline;
}

/** Since when the oldest of what this page shows has been stored; null if all of it is from the server. */
function useKeptAt(): number | null {
  const client = useApolloClient();
  const kept = useStore(keptShown);
  const { pathname } = useLocation();
  const [at, setAt] = useState<number | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page has other queries
  useEffect(() => {
    const shown = [...client.getObservableQueries('active')].flatMap(
      ({ queryName = '', variables }) => kept.get(callKey(queryName, variables)) ?? [],
    );
    setAt(shown.length > 0 ? Math.min(...shown) : null);
  }, [client, kept, pathname]);
  return at;
}
