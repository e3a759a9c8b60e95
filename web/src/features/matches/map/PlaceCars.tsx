import { Box, chakra, Flex } from '@chakra-ui/react';
import { ArrowUpRight, X } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { markCars, unmarkCars } from '../../../lib/state/marked-cars.ts';
import { milesAway, priceText } from '../../../lib/text/amounts.ts';
import { AnchorButton, Button } from '../../../ui/parts/Button.tsx';
import { Heading } from '../../../ui/parts/Card.tsx';
import { endedTexts } from '../../listings/listing-facts.ts';
import { useListingLink } from '../../listings/use-listing-link.ts';
import { carElementId } from '../MarkableCar.tsx';
import type { MapPoint } from './map-documents.ts';
import { bestOffers } from './markers.ts';

const List = chakra('ul', { base: { listStyle: 'none', overflowY: 'auto', maxH: '232px' } });

/** How many cars of a large city are listed at a time. */
const ROWS = 50;

interface PlaceCarsProps {
  points: readonly MapPoint[];
  onClose: () => void;
}

/** The cars of a mark, each with the way to its card. */
export function PlaceCars({ points, onClose }: PlaceCarsProps) {
  const titleId = useId();
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    title.current?.focus({ preventScroll: true });
    // The map may be at the lower edge of the screen.
    title.current?.closest('section')?.scrollIntoView({ block: 'nearest', behavior: scrollBehavior() });
  }, []);
  const cars = bestOffers(points);
  const [limit, setLimit] = useState(ROWS);
  return (
    <Box
      as="section"
      aria-labelledby={titleId}
      borderTopWidth="1px"
      borderColor="line"
      // Above the bar of phones.
      scrollMarginBottom={{ base: '5rem', md: '4' }}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose();
      }}
    >
      <Flex align="center" justify="space-between" gap="2" ps="4" pe="2" pt="1.5">
        <Heading as="h3" size="sm" id={titleId} ref={title} tabIndex={-1} _focusVisible={{ outline: 'none' }}>
          {placeTitle(cars)}
        </Heading>
        <Button variant="ghost" size="icon" aria-label="Close" flexShrink={0} onClick={onClose}>
          <X size={18} aria-hidden />
        </Button>
      </Flex>
      <List aria-labelledby={titleId}>
        {cars.slice(0, limit).map((point) => (
          <CarRow key={point.listingId} point={point} />
        ))}
      </List>
      {cars.length > limit ? (
        <Button variant="ghost" size="sm" w="full" borderRadius="0" onClick={() => setLimit(limit + ROWS)}>
          Show {Math.min(ROWS, cars.length - limit)} more
        </Button>
      ) : null}
    </Box>
  );
}

const scrollBehavior = () => (matchMedia('(prefers-reduced-motion: reduce)').matches ? 'auto' : 'smooth');

function placeTitle(cars: readonly MapPoint[]): string {
  const count = cars.length === 1 ? '1 car' : `${cars.length.toLocaleString('en-US')} cars`;
  const places = new Set(cars.map(({ place }) => place));
  const [first] = places;
  if (!first) return count;
  return places.size === 1 ? `${count} in ${first}` : `${count} around ${first}`;
}

function CarRow({ point }: { point: MapPoint }) {
  const titleId = useId();
  const link = useListingLink({ id: point.listingId, marketplaceUrl: point.marketplaceUrl });
  const card = () => document.getElementById(carElementId(point.carId));
  const ended = point.status === 'for_sale' ? null : endedTexts[point.status];
  const facts = [priceText(point.price), milesAway(point.distance), ended].filter(Boolean);
  const show = () => {
    card()?.scrollIntoView({ block: 'center', behavior: scrollBehavior() });
    card()?.focus({ preventScroll: true });
  };
  return (
    <Flex
      as="li"
      align="center"
      justify="space-between"
      gap="3"
      px="4"
      py="2"
      borderTopWidth="1px"
      borderColor="line"
      _first={{ borderTopWidth: '0' }}
      onPointerEnter={() => markCars([point.carId], 'map')}
      onPointerLeave={unmarkCars}
    >
      <Box minW="0">
        <chakra.bdi id={titleId} display="block" fontSize="sm" fontWeight="600" lineClamp="1" overflowWrap="anywhere">
          {point.title}
        </chakra.bdi>
        <Box fontSize="xs" color="muted">
          {facts.join(' · ')}
        </Box>
      </Box>
      {card() ? (
        <Button variant="outline" size="sm" flexShrink={0} aria-describedby={titleId} onClick={show}>
          Show
        </Button>
      ) : (
        <AnchorButton {...link} variant="outline" size="sm" flexShrink={0} aria-describedby={titleId}>
          Open
          <ArrowUpRight size={15} aria-hidden />
        </AnchorButton>
      )}
    </Flex>
  );
}
