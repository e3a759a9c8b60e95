import { type RefObject, useLayoutEffect, useRef } from 'react';
import { newAtHead } from './arrivals.ts';

/** Added to glides that are under way, so that none of them breaks off. */
const glide = { duration: 220, easing: 'ease-out', composite: 'add' } as const;

const wantsStillness = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

/**
 * Lets what stands in a list glide down from where it was when something comes in at its head.
 * @param keys of the list's children, in their order
 * @param isOff true while the head is off the screen, where nobody sees it make room
 */
export function useGlide(list: RefObject<HTMLElement | null>, keys: readonly string[], isOff: boolean): void {
  const before = useRef(keys);
  useLayoutEffect(() => {
    const come = newAtHead(keys, new Set(before.current)).length;
    before.current = keys;
    const cards = [...(list.current?.children ?? [])].filter((card) => card instanceof HTMLElement);
    const [newest, first] = [cards[0], cards[come]];
    if (come === 0 || isOff || !newest || !first || wantsStillness()) return;
    const room = first.offsetTop - newest.offsetTop;
    const wasOnScreen = (card: HTMLElement) => card.getBoundingClientRect().top - room < innerHeight;
    for (const card of cards.slice(come).filter(wasOnScreen))
      card.animate({ transform: [`translateY(${-room}px)`, 'none'] }, glide);
  });
}
