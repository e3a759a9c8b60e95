import { chakra, Flex } from '@chakra-ui/react';
import { EyeOff } from 'lucide-react';
import { memo, useEffect, useId, useRef } from 'react';
import { useIsHidden } from '../../lib/state/hidden-cars.ts';
import { Button } from '../../ui/parts/Button.tsx';
import { Card } from '../../ui/parts/Card.tsx';
import { ListingCard, type ListingCardProps } from './ListingCard.tsx';
import { useHideCar } from './use-hide-car.ts';

/** A car of the matches that one can hide; hidden, it is one line that undoes it, until the page is left. */
export const HideableCard = memo(function HideableCard(props: Omit<ListingCardProps, 'onHide'>) {
  const { listing } = props;
  const isHidden = useIsHidden(listing.carId);
  const hide = useHideCar(listing);
  const box = useRef<HTMLDivElement>(null);
  const wasHidden = useRef(isHidden);
  useEffect(() => {
    if (wasHidden.current === isHidden) return;
    wasHidden.current = isHidden;
    // The pressed button is gone, and its opposite takes the focus.
    if (document.activeElement === document.body) box.current?.querySelector<HTMLElement>('[data-hides]')?.focus();
  }, [isHidden]);
  return (
    <div ref={box}>
      {isHidden ? (
        <HiddenCar title={listing.title} onUndo={() => void hide(false)} />
      ) : (
        <ListingCard {...props} onHide={() => void hide(true)} />
      )}
    </div>
  );
});

function HiddenCar({ title, onUndo }: { title: string; onUndo: () => void }) {
  const titleId = useId();
  return (
    <Card pad="none" px="4" py="3" bg="sunk">
      <Flex align="center" justify="space-between" gap="4">
        <Flex gap="3" minW="0" color="muted" fontSize="sm">
          <chakra.span flexShrink={0} pt="2px">
            <EyeOff size={16} aria-hidden />
          </chakra.span>
          <chakra.span minW="0" overflowWrap="anywhere">
            <chakra.bdi id={titleId} color="ink" fontWeight="600">
              {title}
            </chakra.bdi>{' '}
            is hidden. You get no more messages about it.
          </chakra.span>
        </Flex>
        <Button data-hides variant="outline" size="sm" flexShrink={0} aria-describedby={titleId} onClick={onUndo}>
          Undo
        </Button>
      </Flex>
    </Card>
  );
}
