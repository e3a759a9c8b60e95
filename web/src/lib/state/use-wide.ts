import { useSyncExternalStore } from 'react';

const wide = matchMedia('(min-width: 768px)');
const veryWide = matchMedia('(min-width: 1280px)');

const follow = (query: MediaQueryList) => (onChange: () => void) => {
  query.addEventListener('change', onChange);
  return () => query.removeEventListener('change', onChange);
};
const followWide = follow(wide);
const followVeryWide = follow(veryWide);

/** Whether there is room for a table: 768 px or more. */
export const isWide = (): boolean => wide.matches;

/** The same, and follows a window that is resized or a device that is turned. */
export function useWide(): boolean {
  return useSyncExternalStore(followWide, isWide);
}

/** Whether there is room for two columns beside the side navigation: 1280 px or more (`xl`). */
export function useVeryWide(): boolean {
  return useSyncExternalStore(followVeryWide, () => veryWide.matches);
}
