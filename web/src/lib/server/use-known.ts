import { useEffect, useRef } from 'react';
import { type QueryState, useFailure } from './faults/use-failure.ts';

/** Calls `onKnown` once the query has data or an error. @returns the error, while there is no data */
export function useKnown(state: QueryState, onKnown: () => void): unknown {
  const error = useFailure(state);
  const isKnown = state.data !== undefined || error !== undefined;
  const isReported = useRef(false);
  useEffect(() => {
    if (!isKnown || isReported.current) return;
    isReported.current = true;
    onKnown();
  }, [isKnown, onKnown]);
  return error;
}
