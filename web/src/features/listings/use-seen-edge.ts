import { type RefCallback, useCallback, useState } from 'react';

/** How much of a card must be in sight, and for how long, until it counts as seen. */
const SHARE = 0.6;
const SEEN_AFTER_MS = 3000;

/** The listings whose cards were seen since the app was loaded: one that is drawn again has not come again. */
const seen = new Set<string>();

const steps = Array.from({ length: 21 }, (_, at) => at / 20);

/** A card that is higher than the screen is in sight when it fills as much of the screen. */
const isInSight = ({ intersectionRatio, intersectionRect, rootBounds }: IntersectionObserverEntry): boolean =>
  intersectionRatio >= SHARE || (rootBounds !== null && intersectionRect.height >= SHARE * rootBounds.height);

/** Whether a listing's card has been in sight for three seconds, and a ref for the card. @param isWatched false for a card whose edge marks nothing */
export function useSeenEdge(listingId: string, isWatched: boolean): [ref: RefCallback<HTMLElement>, isSeen: boolean] {
  const [seenId, setSeenId] = useState<string | null>(null);
  const ref = useCallback(
    (element: HTMLElement | null) => {
      if (!element || !isWatched || seen.has(listingId)) return;
      let timer: ReturnType<typeof setTimeout> | undefined;
      const observer = new IntersectionObserver(
        (entries) => {
          const last = entries.at(-1);
          if (last && isInSight(last))
            timer ??= setTimeout(() => {
              observer.disconnect();
              seen.add(listingId);
              setSeenId(listingId);
            }, SEEN_AFTER_MS);
          else {
            clearTimeout(timer);
            timer = undefined;
          }
        },
        { threshold: steps },
      );
      observer.observe(element);
      return () => {
        clearTimeout(timer);
        observer.disconnect();
      };
    },
    [listingId, isWatched],
  );
  return [ref, seenId === listingId || seen.has(listingId)];
}
