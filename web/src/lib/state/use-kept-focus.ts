import { type FocusEvent, type RefObject, useEffect, useRef } from 'react';

/**
 * Goes on from `fallback` when what had the focus has left the page, as a row does that now belongs elsewhere.
 * @returns for the element around all that may have had it, of the component that calls this
 */
export function useKeptFocus(fallback: RefObject<HTMLElement | null>): { onFocus: (event: FocusEvent) => void } {
  const last = useRef<Element | null>(null);
  useEffect(() => {
    const isGone = last.current?.isConnected === false;
    if (isGone && document.activeElement === document.body) fallback.current?.focus({ preventScroll: true });
  });
  return {
    onFocus: ({ target }) => {
      last.current = target;
    },
  };
}
