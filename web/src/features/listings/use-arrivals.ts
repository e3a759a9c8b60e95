import { type RefCallback, useCallback, useState } from 'react';

/**
 * The keys at the head of a list that have not been shown: the items that arrived live.
 * Unknown keys further down are older items that were loaded, so they are not new.
 */
export function newAtHead(keys: readonly string[], known: ReadonlySet<string>): string[] {
  const firstKnown = keys.findIndex((key) => known.has(key));
  return firstKnown === -1 ? [...keys] : keys.slice(0, firstKnown);
}

interface Arrivals<T> {
  /** The items to show, without new ones that wait. */
  shown: readonly T[];
  /** How many new items wait because the list is scrolled. */
  waiting: number;
  /** Whether the top of the list is above the screen. */
  isScrolled: boolean;
  /** Keys of the last items that arrived live, which slide in. */
  arrived: ReadonlySet<string>;
  show(): void;
  /** A ref for an element at the top of the list: while it is above the screen, new items wait. */
  topRef: RefCallback<HTMLElement>;
}

/** More that come together are just there: what was in sight is no longer. */
export const MAX_SLID = 2;

const none: ReadonlySet<string> = new Set();

/** The height of the bar at the top of the page, under which the list scrolls. */
const barPx = 64;

/** Delays new items while the top of the list is off the screen, so that nothing moves under a finger. */
export function useArrivals<T>(items: readonly T[] | undefined, keyOf: (item: T) => string): Arrivals<T> {
  const [known, setKnown] = useState<ReadonlySet<string> | null>(null);
  const [arrived, setArrived] = useState(none);
  const [isScrolled, setScrolled] = useState(false);

  const topRef = useCallback((element: HTMLElement | null) => {
    if (!element) return;
    const observer = new IntersectionObserver(
      ([entry]) => entry && setScrolled(!entry.isIntersecting && entry.boundingClientRect.top < barPx),
      // Below the screen counts as on it: one who jumps to a place farther down passes the top without a frame that shows it.
      { rootMargin: `-${barPx}px 0px 1000000px 0px` },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  const keys = items?.map(keyOf) ?? [];
  const news = known === null ? [] : newAtHead(keys, known);
  const isBehind = items !== undefined && (known === null || keys.some((key) => !known.has(key)));

  const show = () => {
    setKnown(new Set(keys));
    if (news.length > 0 && news.length <= MAX_SLID) setArrived(new Set(news));
  };

  // While it is drawn, so that new items are drawn once, and in pieces where the list is.
  if (isBehind && !(isScrolled && news.length > 0)) show();

  const waiting = isScrolled ? news.length : 0;
  return { shown: items?.slice(news.length) ?? [], waiting, isScrolled, arrived, show, topRef };
}
