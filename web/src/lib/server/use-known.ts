import { useEffect, useRef } from 'react';
import { type Asked, useFailure } from './faults/use-failure.ts';

/** Tells once that a query has something to show, be it why it failed. @returns that, while there is no data */
export function useKnown(asked: Asked, onKnown: () => void): unknown {
  const error = useFailure(asked);
  const isKnown = asked.data !== undefined || error !== undefined;
  const isTold = useRef(false);
  useEffect(() => {
    if (!isKnown || isTold.current) return;
    isTold.current = true;
    onKnown();
  }, [isKnown, onKnown]);
  return error;
}
