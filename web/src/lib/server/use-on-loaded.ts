import { useEffect, useRef } from 'react';
import { type QueryState, useFailure } from './faults/use-failure.ts';

/** Calls `onLoaded` once the query has data or an error. @returns the error, while there is no data */
export function useOnLoaded(state: QueryState, onLoaded: () => void): unknown {
  const error = useFailure(state);
  const isKnown = state.data !== undefined || error !== undefined;
  const isReported = useRef(false);
  useEffect(() => {
    if (!isKnown || isReported.current) return;
    isReported.current = true;
    onLoaded();
  }, [isKnown, onLoaded]);
  return error;
}
