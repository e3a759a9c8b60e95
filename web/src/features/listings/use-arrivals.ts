import { type RefCallback, useCallback, useLayoutEffect, useState } from 'react';
import { newAtHead } from './arrivals.ts';

interface Arrivals<T> {
  /** The items to show, without new ones that wait. */
  shown: readonly T[];
  /** How many wait because the list is scrolled. */
  waiting: number;
  /** Whether the top of the list is above the screen. */
  isScrolled: boolean;
  /** Keys that came in live and slide in. */
  arrived: ReadonlySet<string>;
  show(): void;
  /** For an element at the top of the list: once it is above the screen, new listings wait. */
  topRef: RefCallback<HTMLElement>;
}

const none: ReadonlySet<string> = new Set();

/** Height of the bar at the top of the page, under which the list scrolls away. */
const barPx = 64;

/** Holds new items back while the head of the list is off the screen, so that nothing moves under a finger. */
export function useArrivals<T>(items: readonly T[] | undefined, keyOf: (item: T) => string): Arrivals<T> {
  const [known, setKnown] = useState<ReadonlySet<string> | null>(null);
  const [arrived, setArrived] = useState(none);
  const [isScrolled, setScrolled] = useState(false);

  const topRef = useCallback((element: HTMLElement | null) => {
    if (!element) return;
    const observer = new IntersectionObserver(
      ([entry]) => entry && setScrolled(!entry.isIntersecting && entry.boundingClientRect.top < barPx),
      { rootMargin: `-${barPx}px 0px 0px 0px` },
    );
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  const keys = items?.map(keyOf) ?? [];
  const news = known === null ? [] : newAtHead(keys, known);
  const isBehind = items !== undefined && (known === null || keys.some((key) => !known.has(key)));

  const show = () => {
    setKnown(new Set(keys));
    if (news.length > 0) setArrived((before) => new Set([...before, ...news]));
  };

  // Before the screen is drawn, so that nothing shows that must wait, and what may show does at once.
  useLayoutEffect(() => {
    if (isBehind && !(isScrolled && news.length > 0)) show();
  });

  const waiting = isScrolled ? news.length : 0;
  return { shown: items?.slice(news.length) ?? [], waiting, isScrolled, arrived, show, topRef };
}
