import { chakra } from '@chakra-ui/react';
import { useEffect, useState } from 'react';
import { useLiveConnection } from '../lib/server/client/live-connection.ts';
import { LiveDot } from '../ui/parts/LiveDot.tsx';

/** A connection that is back within this time was never worth a word. */
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
    bg: 'panel',
    color: 'muted',
    fontSize: 'sm',
    whiteSpace: 'nowrap',
    borderWidth: '1px',
    borderColor: 'line',
    borderRadius: 'full',
    boxShadow: 'pop',
    animation: 'fadeIn 200ms',
  },
});

type Shown = 'nothing' | 'lost' | 'back';

/** Says quietly that live is interrupted, and that it goes on; polite to screen readers too. */
export function ConnectionNote() {
  const isLost = useLiveConnection() === 'lost';
  const [shown, setShown] = useState<Shown>('nothing');
  useEffect(() => {
    if (isLost) {
      const timer = setTimeout(() => setShown('lost'), graceMs);
      return () => clearTimeout(timer);
    }
    setShown((before) => (before === 'lost' ? 'back' : before));
    const timer = setTimeout(() => setShown('nothing'), backMs);
    return () => clearTimeout(timer);
  }, [isLost]);
  return (
    <div role="status">
      {shown === 'nothing' ? null : (
        <Pill>
          <LiveDot on={shown === 'back'} />
          {shown === 'lost' ? 'Connection lost. Trying again…' : 'Connected again.'}
        </Pill>
      )}
    </div>
  );
}
