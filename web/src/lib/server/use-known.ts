import { useEffect, useRef } from 'react';
import { type Asked, useFailure } from './faults/use-failure.ts';

/** Calls `onKnown` once the query has data or an error. @returns the error, while there is no data */
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
