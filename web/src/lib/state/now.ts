import { useEffect, useState } from 'react';
import { drawnNow, useDrawn } from './drawn.ts';

/** A time in another time zone than the browser's, in which the server drew it. */
const isElsewhere = (now: Date): boolean => 'offsetMs' in now && now.offsetMs !== now.getTimezoneOffset() * -60_000;

/** The current time, updated every `everyMs` while the component is shown and the page is visible. */
export function useNow(everyMs: number): Date {
  const isDrawn = useDrawn();
  const [now, setNow] = useState(() => (isDrawn ? drawnNow() : new Date()));
  useEffect(() => {
    const tick = () => {
      if (!document.hidden) setNow(new Date());
    };
    // A page that was drawn shows an earlier moment.
    setNow((shown) => (Date.now() - shown.getTime() < everyMs && !isElsewhere(shown) ? shown : new Date()));
    const timer = setInterval(tick, everyMs);
    document.addEventListener('visibilitychange', tick);
    return () => {
      clearInterval(timer);
      document.removeEventListener('visibilitychange', tick);
    };
  }, [everyMs]);
  return now;
}
