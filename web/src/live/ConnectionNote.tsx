import { chakra } from '@chakra-ui/react';
import { useEffect, useState } from 'react';
import { useLiveConnection } from '../lib/server/live-connection.ts';
import { LiveDot } from '../ui/parts/LiveDot.tsx';

/** A connection that is back within this time was never worth a word. */
const graceMs = 1200;

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

/** Says quietly that live is interrupted. */
export function ConnectionNote() {
  const isLost = useLiveConnection() === 'lost';
  const [isShown, setShown] = useState(false);
  useEffect(() => {
    if (!isLost) {
      setShown(false);
      return;
    }
    const timer = setTimeout(() => setShown(true), graceMs);
    return () => clearTimeout(timer);
  }, [isLost]);
  return (
    <div role="status">
      {isShown ? (
        <Pill>
          <LiveDot on={false} />
          Connection lost. Trying again…
        </Pill>
      ) : null}
    </div>
  );
}
