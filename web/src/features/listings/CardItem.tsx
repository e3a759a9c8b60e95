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

/** Where in its list a card is, as far as that changes how it is drawn. */
type CardPlace = 'first' | 'head' | 'below';

/** @param index from 0 */
export const placeOf = (index: number): CardPlace => (index === 0 ? 'first' : index < ALWAYS_DRAWN ? 'head' : 'below');

interface CardItemProps {
  /** The list and the car in it. */
  id: string;
  place: CardPlace;
  animation?: string | undefined;
  children: ReactNode;
}

/**
 * A card in a list that may be long: drawn only while it is near the screen. A list to which one returns has its former
 * height from the start, so that the page scrolls to where it was.
 */
export function CardItem({ id, place, animation, children }: CardItemProps) {
  const [kept] = useState(() => heights.get(id));
  const keep = useCallback(
    (item: HTMLLIElement | null) => {
      if (item) return () => keepHeight(id, item.clientHeight - 2 * ROOM);
    },
    [id],
  );
  return (
    <Item
      ref={keep}
      animation={animation}
      contentVisibility={place === 'below' ? 'auto' : undefined}
      style={kept === undefined ? undefined : { containIntrinsicBlockSize: `auto ${kept}px` }}
    >
      <FirstPhoto value={place === 'first'}>{children}</FirstPhoto>
    </Item>
  );
}
