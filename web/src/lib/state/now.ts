import { useEffect, useState } from 'react';
import { drawnMoment } from './drawn.ts';

/** The current time, updated every `everyMs` while the component is shown and the page is visible. */
export function useNow(everyMs: number): Date {
  const [now, setNow] = useState(() => drawnMoment() ?? new Date());
  useEffect(() => {
    const tick = () => {
      if (!document.hidden) setNow(new Date());
    };
    // A page that was drawn shows an earlier moment.
    setNow((shown) => (Date.now() - shown.getTime() < everyMs ? shown : new Date()));
    const timer = setInterval(tick, everyMs);
    document.addEventListener('visibilitychange', tick);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', tick);
    };
  }, [everyMs]);
  return now;
}
