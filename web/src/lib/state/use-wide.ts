import { useSyncExternalStore } from 'react';

const wide = matchMedia('(min-width: 768px)');

function subscribe(onChange: () => void): () => void {
  wide.addEventListener('change', onChange);
  return () => wide.removeEventListener('change', onChange);
}

/** Whether there is room for a table: 768 px or more. */
export const isWide = (): boolean => wide.matches;

/** The same, and follows a window that is resized or a device that is turned. */
export function useWide(): boolean {
  return useSyncExternalStore(subscribe, isWide);
}
