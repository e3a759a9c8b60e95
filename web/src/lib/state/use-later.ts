import { useDeferredValue, useMemo } from 'react';

/**
 * A value whose changes are drawn in pieces, so that presses between them are answered.
 * @param of what it is of: the first value of anything else is drawn at once
 */
export function useLater<T>(value: T, of: string): T {
  const latest = useMemo(() => ({ value, of }), [value, of]);
  const later = useDeferredValue(latest);
  return later.of === of ? later.value : value;
}
