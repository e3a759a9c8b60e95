import { chakra } from '@chakra-ui/react';
import { type ReactNode, useCallback, useState } from 'react';
import { FirstPhoto } from './ListingPhoto.tsx';

/** So many cards at the head of a list are drawn at all times: new ones come there, and slide by their true heights. */
const ALWAYS_DRAWN = 6;

/** Around a card, in pixels, for its outlines and shadows: what isn't drawn is cut at its item's edge. */
const ROOM = 8;

const Item = chakra('li', {
  base: {
    p: `${ROOM}px`,
    m: `-${ROOM}px`,
    // The height of a card that was never drawn; afterwards the browser knows it.
    containIntrinsicBlockSize: { base: 'auto 700px', md: 'auto 385px' },
  },
});

/** Heights of the cards of lists that were left, in pixels. */
const heights = new Map<string, number>();
const MAX_KEPT = 2000;

function keepHeight(id: string, height: number): void {
  if (heights.size >= MAX_KEPT) heights.clear();
  heights.set(id, height);
}

interface CardItemProps {
  /** The list and the car in it. */
  id: string;
  /** The place in the list, from 0. */
  index: number;
  animation?: string | undefined;
  children: ReactNode;
}

/**
 * A card in a list that may be long: drawn only while it is near the screen. A list to which one returns has its former
 * height from the start, so that the page scrolls to where it was.
 */
export function CardItem({ id, index, animation, children }: CardItemProps) {
  const [kept] = useState(() => heights.get(id));
  const keep = useCallback(
    (item: HTMLLIElement | null) => {
      if (item) return () => keepHeight(id, item.clientHeight - 2 * ROOM);
    },
    [id],
  );
  const isSkipped = index >= ALWAYS_DRAWN;
  return (
    <Item
      ref={keep}
      animation={animation}
      contentVisibility={isSkipped ? 'auto' : undefined}
      style={kept === undefined ? undefined : { containIntrinsicBlockSize: `auto ${kept}px` }}
    >
      <FirstPhoto value={index === 0}>{children}</FirstPhoto>
    </Item>
  );
}
