import { Box, chakra, Flex } from '@chakra-ui/react';
import { ArrowUp } from 'lucide-react';
import { Component, type ReactNode, type RefObject, useRef } from 'react';
import { Button } from '../../ui/parts/Button.tsx';
import { CardItem } from './CardItem.tsx';
import { newAtHead, useArrivals } from './use-arrivals.ts';

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
  const showAll = () => {
    show();
    list.current?.focus({ preventScroll: true });
    list.current?.scrollIntoView({ block: 'start', behavior: 'smooth' });
  };
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
          {end ? <li>{end}</li> : null}
        </List>
      </Sliding>
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

interface SlidingProps {
  list: RefObject<HTMLElement | null>;
  /** Those of the list's children, in their order. */
  keys: readonly string[];
  /** True while the head is off the screen, where the animation can't be seen. */
  isOff: boolean;
  children: ReactNode;
}

type Places = ReadonlyMap<string, { left: number; top: number }>;

/**
 * Animates the items of a list from their former places when new ones are inserted at its head. A class, because only a class
 * is asked before the browser's page changes.
 */
class Sliding extends Component<SlidingProps> {
  override getSnapshotBeforeUpdate({ keys, isOff }: SlidingProps): Places | null {
    const hasNew = newAtHead(this.props.keys, new Set(keys)).length > 0;
    if (!hasNew || isOff || this.props.isOff || prefersReducedMotion()) return null;
    return new Map(
      this.cards(keys).flatMap(([key, card]) =>
        card.getBoundingClientRect().top < innerHeight ? [[key, { left: card.offsetLeft, top: card.offsetTop }]] : [],
      ),
    );
  }

  override componentDidUpdate(_props: SlidingProps, _state: unknown, former: Places | null): void {
    if (!former) return;
    for (const [key, card] of this.cards(this.props.keys)) {
      const { left, top } = former.get(key) ?? { left: card.offsetLeft, top: card.offsetTop };
      const [x, y] = [left - card.offsetLeft, top - card.offsetTop];
      if (x !== 0 || y !== 0) card.animate({ transform: [`translate(${x}px, ${y}px)`, 'none'] }, glide);
    }
  }

  override render(): ReactNode {
    return this.props.children;
  }

  private cards(keys: readonly string[]): [string, HTMLElement][] {
    const children = [...(this.props.list.current?.children ?? [])];
    return keys.flatMap((key, index) => {
      const card = children[index];
      return card instanceof HTMLElement ? [[key, card]] : [];
    });
  }
}
