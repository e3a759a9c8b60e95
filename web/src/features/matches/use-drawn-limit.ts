import { startTransition, useState } from 'react';

/** How many cards are drawn more whenever the end of the list comes near: a page of the server's. */
const STEP = 20;
const MAX_KEPT = 100;

/** How far the lists were drawn that were left, so that one who comes back finds their place. */
const kept = new Map<string, number>();

/**
 * How many cars of a list are drawn. Those that arrive at its head push the last ones out, so that a page which is open for
 * days doesn't grow.
 * @param of tells lists apart
 */
export function useDrawnLimit(of: string): { limit: number; drawMore: () => void } {
  const [state, setState] = useState({ of, limit: kept.get(of) ?? STEP });
  const limit = state.of === of ? state.limit : (kept.get(of) ?? STEP);
  const drawMore = () => {
    if (kept.size >= MAX_KEPT) kept.clear();
    kept.set(of, limit + STEP);
    startTransition(() => setState({ of, limit: limit + STEP }));
  };
  return { limit, drawMore };
}
