import { Box, chakra, Flex } from '@chakra-ui/react';
import { ArrowUp } from 'lucide-react';
import { type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react';
import { Button } from '../../ui/parts/Button.tsx';
import { CardItem } from './CardItem.tsx';
import { newAtHead, useArrivals } from './use-arrivals.ts';

const List = chakra('ul', { base: { listStyle: 'none', display: 'flex', flexDirection: 'column', gap: '3.5' } });

interface ArrivalListProps<T> {
  items: readonly T[];
  keyOf: (item: T) => string;
  children: (item: T) => ReactNode;
  /** Names the list for screen readers. */
  label: string;
  /** The maximum number of rendered items. */
  limit?: number;
}

/** A list that grows at its top: new items slide in, or wait behind a button while the list is scrolled. */
export function ArrivalList<T>({ items, keyOf, children, label, limit }: ArrivalListProps<T>) {
  const { shown, waiting, isScrolled, arrived, show, topRef } = useArrivals(items, keyOf);
  const list = useRef<HTMLUListElement>(null);
  const drawn = shown.slice(0, limit);
  useSlideAnimation(list, drawn.map(keyOf), isScrolled);
  const showAll = () => {
    show();
    list.current?.focus({ preventScroll: true });
    list.current?.scrollIntoView({ block: 'start', behavior: 'smooth' });
  };
  return (
    <Box position="relative">
      <Box ref={topRef} h="1px" mb="-1px" aria-hidden />
      {waiting > 0 ? <ShowNew count={waiting} onClick={showAll} /> : null}
      <List
        ref={list}
        aria-label={label}
        tabIndex={-1}
        scrollMarginTop="6rem"
        borderRadius="card"
        _focusVisible={{ outline: 'none' }}
      >
        {drawn.map((item, index) => {
          const key = keyOf(item);
          return (
            <CardItem
              key={key}
              id={`${label} ${key}`}
              index={index}
              animation={arrived.has(key) ? 'slideIn 220ms ease-out' : undefined}
            >
              {children(item)}
            </CardItem>
          );
        })}
      </List>
    </Box>
  );
}

/** A button that stays on the screen over a list: so many cars came that it does not show yet. */
export function ShowNew({ count, onClick }: { count: number; onClick: () => void }) {
  return (
    <Flex position="sticky" top="5rem" zIndex="bar" h="0" justify="center" pointerEvents="none">
      <Button
        onClick={onClick}
        size="sm"
        bg="beam"
        color="#2B1C00"
        boxShadow="pop"
        borderRadius="full"
        pointerEvents="auto"
        animation="fadeIn 200ms"
        _hover={{ bg: 'beam', filter: 'brightness(0.96)' }}
      >
        <ArrowUp size={15} aria-hidden />
        Show {count} new
      </Button>
    </Flex>
  );
}

/** Composed with running animations, so that none is interrupted. */
const glide = { duration: 220, easing: 'ease-out', composite: 'add' } as const;

const prefersReducedMotion = () => matchMedia('(prefers-reduced-motion: reduce)').matches;

/**
 * Animates the items of a list from their former places when new ones are inserted at its head.
 * @param keys of the list's children, in their order
 * @param isOff true while the head is off the screen, where the animation can't be seen
 */
function useSlideAnimation(list: RefObject<HTMLElement | null>, keys: readonly string[], isOff: boolean): void {
  const before = useRef(keys);
  useLayoutEffect(() => {
    const come = newAtHead(keys, new Set(before.current)).length;
    before.current = keys;
    const cards = [...(list.current?.children ?? [])].filter((card) => card instanceof HTMLElement);
    const [newest, first] = [cards[0], cards[come]];
    if (come === 0 || isOff || !newest || !first || prefersReducedMotion()) return;
    const room = first.offsetTop - newest.offsetTop;
    const wasOnScreen = (card: HTMLElement) => card.getBoundingClientRect().top - room < innerHeight;
    for (const card of cards.slice(come).filter(wasOnScreen))
      card.animate({ transform: [`translateY(${-room}px)`, 'none'] }, glide);
  });
}
