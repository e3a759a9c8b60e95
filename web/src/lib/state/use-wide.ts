import { useSyncExternalStore } from 'react';
import { isServer } from './drawn.ts';

/** What a drawn page shows, where both are possible, has to be chosen by style. */
const onServer = { matches: false, addEventListener() {}, removeEventListener() {} };
const media = (query: string): Pick<MediaQueryList, keyof typeof onServer> => (isServer ? onServer : matchMedia(query));
const wide = media('(min-width: 768px)');
const veryWide = media('(min-width: 1280px)');

const follow = (query: typeof wide) => (onChange: () => void) => {
  query.addEventListener('change', onChange);
  return () => query.removeEventListener('change', onChange);
};
const followWide = follow(wide);
const followVeryWide = follow(veryWide);

/** Whether there is room for a table: 768 px or more. */
export const isWide = (): boolean => wide.matches;

/** The same, and follows a window that is resized or a device that is turned. */
export function useWide(): boolean {
  return useSyncExternalStore(followWide, isWide, () => false);
}

/** Whether there is room for two columns beside the side navigation: 1280 px or more (`xl`). */
export function useVeryWide(): boolean {
  return useSyncExternalStore(
    followVeryWide,
    () => veryWide.matches,
    () => false,
  );
}
