import { useRef } from 'react';

/** A failure and the variables it was for. */
export interface Kept {
  error: unknown;
  asked: string;
}

/** What is looked at of a query's result. */
export interface Asked {
  data?: unknown;
  error?: unknown;
  variables?: unknown;
}

/** What to keep of a query's state, after `before`. */
export function nextFailure(before: Kept | undefined, { data, error, variables }: Asked): Kept | undefined {
  if (data !== undefined) return undefined;
  const asked = JSON.stringify(variables ?? {});
  if (error !== undefined) return { error, asked };
  return before?.asked === asked ? before : undefined;
}

/**
 * Why a query has no data. It stays while the query is asked again, by itself or by hand: what stands on the page goes
 * only when there is something to show.
 */
export function useFailure(result: Asked): unknown {
  const kept = useRef<Kept>(undefined);
  kept.current = nextFailure(kept.current, result);
  return kept.current?.error;
}
