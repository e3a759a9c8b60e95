import { useRef } from 'react';

/** A failure with the variables of its query. */
export interface Failure {
  error: unknown;
  variablesText: string;
}

/** The parts of a query's result that matter here. */
export interface QueryState {
  data?: unknown;
  error?: unknown;
  variables?: unknown;
}

/** The failure to keep after the failure `before` and the query's current result. */
export function nextFailure(before: Failure | undefined, { data, error, variables }: QueryState): Failure | undefined {
  if (data !== undefined) return undefined;
  const variablesText = JSON.stringify(variables ?? {});
  if (error !== undefined) return { error, variablesText };
  return before?.variablesText === variablesText ? before : undefined;
}

/**
 * The error of a query without data. It stays while the query is fetched again, so that the error on the page is replaced
 * only by data.
 */
export function useFailure(result: QueryState): unknown {
  const failure = useRef<Failure>(undefined);
  failure.current = nextFailure(failure.current, result);
  return failure.current?.error;
}
