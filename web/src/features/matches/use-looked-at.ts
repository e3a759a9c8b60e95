import { useEffect, useState } from 'react';
import { lookAtAlert } from '../../lib/state/new-matches.ts';

/**
 * Notes that the viewer has an alert's matches before their eyes: not while the page is in the back, and not while
 * the newest wait above the screen. @returns what the list tells whether all are shown
 */
export function useLookedAt(alertId: string, matches: readonly { matchedAt: string }[]): (isAllShown: boolean) => void {
  const [isAllShown, setAllShown] = useState(false);
  const newest = matches.reduce((latest, { matchedAt }) => (matchedAt > latest ? matchedAt : latest), '');
  useEffect(() => {
    const look = () => {
      if (isAllShown && newest && !document.hidden) lookAtAlert(alertId, newest);
    };
    look();
    document.addEventListener('visibilitychange', look);
    return () => document.removeEventListener('visibilitychange', look);
  }, [alertId, newest, isAllShown]);
  return setAllShown;
}
