import { Box, chakra, Flex } from '@chakra-ui/react';
import { ArrowUp } from 'lucide-react';
import { Component, memo, type ReactNode, type RefObject, useLayoutEffect, useRef, useTransition } from 'react';
import { Button } from '../../ui/parts/Button.tsx';
import { CardItem, placeOf } from './CardItem.tsx';
import { MAX_SLID, newAtHead, useArrivals } from './use-arrivals.ts';

const List = chakra('ul', {
  base: { listStyle: 'none', display: 'grid', gridTemplateColumns: 'minmax(0, 1fr)', gap: '3.5' },
  variants: {
    columns: {
      1: {},
      // Cards beside each other are of one height.
      2: {
        xl: { gridTemplateColumns: 'repeat(2, minmax(0, 1fr))', '& > li *:has(> article), & > li > *': { h: 'full' } },
      },
    },
  },
});

interface ArrivalListProps<T> {
  items: readonly T[];
  keyOf: (item: T) => string;
  /** A card is drawn again when this or its item is another one. */
  children: (item: T) => ReactNode;
  /** Names the list for screen readers. */
  label: string;
  /** The maximum number of rendered items. */
  limit?: number;
  /** In how many columns they stand on a wide screen. */
  columns?: 1 | 2;
  /** Stands behind the last item. */
  end?: ReactNode;
}

/** A list that grows at its top: new items slide in, or wait behind a button while the list is scrolled. */
export function ArrivalList<T>({ items, keyOf, children, label, limit, columns = 1, end }: ArrivalListProps<T>) {
  const { shown, waiting, isScrolled, arrived, show, topRef } = useArrivals(items, keyOf);
  const list = useRef<HTMLUListElement>(null);
  const drawn = shown.slice(0, limit);
  const [isShowing, startShowing] = useTransition();
  const isAsked = useRef(false);
  const showAll = () => {
    isAsked.current = true;
    startShowing(show);
  };
  useLayoutEffect(() => {
    if (isShowing || waiting > 0 || !isAsked.current) return;
    isAsked.current = false;
    list.current?.focus({ preventScroll: true });
    list.current?.scrollIntoView({ block: 'start', behavior: 'smooth' });
  }, [isShowing, waiting]);
  return (
    <Box position="relative">
      <Box ref={topRef} h="1px" mb="-1px" aria-hidden />
      {waiting > 0 ? <ShowNew count={waiting} onClick={showAll} /> : null}
      <Sliding list={list} keys={drawn.map(keyOf)} isOff={isScrolled}>
        <List
          ref={list}
          columns={columns}
          aria-label={label}
          tabIndex={-1}
          scrollMarginTop="6rem"
          borderRadius="card"
          _focusVisible={{ outline: 'none' }}
        >
          {drawn.map((item, index) => {
            const key = keyOf(item);
            return (
              <Row
                key={key}
                id={`${label} ${key}`}
                place={placeOf(index)}
                isNew={arrived.has(key)}
                item={item}
                draw={children as (item: unknown) => ReactNode}
              />
            );
          })}
          {end ? <li>{end}</li> : null}
        </List>
      </Sliding>
    </Box>
  );
}

interface RowProps {
  id: string;
  place: ReturnType<typeof placeOf>;
  /** Slides in. */
  isNew: boolean;
  item: unknown;
  draw: (item: unknown) => ReactNode;
}

const Row = memo(function Row({ id, place, isNew, item, draw }: RowProps) {
  return (
    <CardItem id={id} place={place} animation={isNew ? 'slideIn 220ms ease-out' : undefined}>
      {draw(item)}
    </CardItem>
  );
});

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

interface SlidingProps {
  list: RefObject<HTMLElement | null>;
  /** Those of the list's children, in their order. */
  keys: readonly string[];
  /** True while the head is off the screen, where the animation can't be seen. */
  isOff: boolean;
  children: ReactNode;
}

interface Place {
  left: number;
  top: number;
}

type Places = ReadonlyMap<HTMLElement, Place>;

/**
 * Animates the items of a list from their former places when new ones are inserted at its head. A class, because only a class
 * is asked before the browser's page changes.
 */
class Sliding extends Component<SlidingProps> {
  override getSnapshotBeforeUpdate({ keys, isOff }: SlidingProps): Places | null {
    const { length } = newAtHead(this.props.keys, new Set(keys));
    if (length === 0 || length > MAX_SLID || isOff || this.props.isOff || prefersReducedMotion()) return null;
    const places = new Map<HTMLElement, Place>();
    for (const card of this.props.list.current?.children ?? []) {
      // Those below the screen need no place.
      if (!(card instanceof HTMLElement) || card.getBoundingClientRect().top >= innerHeight) break;
      places.set(card, { left: card.offsetLeft, top: card.offsetTop });
    }
    return places;
  }

  override componentDidUpdate(_props: SlidingProps, _state: unknown, former: Places | null): void {
    if (!former) return;
    // Read before any is moved, so that the page is laid out once.
    const moved = [...former].map(
      ([card, { left, top }]) => [card, left - card.offsetLeft, top - card.offsetTop] as const,
    );
    for (const [card, x, y] of moved)
      if (x !== 0 || y !== 0) card.animate({ transform: [`translate(${x}px, ${y}px)`, 'none'] }, glide);
  }

  override render(): ReactNode {
    return this.props.children;
  }
}
