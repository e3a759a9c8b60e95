import { Box, chakra, Flex } from '@chakra-ui/react';
import { ratingTexts } from '@lotwatch/api/price-words';
import { milesAway, priceText } from '../../lib/text/amounts.ts';
import { Badge } from '../../ui/parts/Card.tsx';
import { ListingPhoto } from '../listings/ListingPhoto.tsx';
import { bandText } from '../listings/price-words.ts';
import type { Preview } from './preview-words.ts';

/** Three columns below the fields, one beside them. */
export const sampleColumns = { base: 'repeat(3, minmax(0, 1fr))', xl: 'minmax(0, 1fr)' } as const;
export const sampleColumnsOfCard = { base: 'minmax(0, 1fr)', xl: '96px minmax(0, 1fr)' } as const;

/** The newest cars that the alert would have brought. */
export function PreviewSamples({ preview: { samples, sampleDistances } }: { preview: Preview }) {
  return (
    <chakra.ul
      aria-label="The newest of them"
      listStyleType="none"
      display="grid"
      gridTemplateColumns={sampleColumns}
      gap={{ base: '2.5', md: '3' }}
      m="0"
      p="0"
    >
      {samples.map((car, at) => (
        <chakra.li
          key={car.id}
          display="grid"
          gridTemplateColumns={sampleColumnsOfCard}
          alignContent="start"
          columnGap="3"
          rowGap="1.5"
          minW="0"
        >
          <ListingPhoto
            images={car.photos.slice(0, 1)}
            title={car.title}
            color={car.color}
            sizes="(min-width: 80em) 96px, 30vw"
          />
          <Sample car={car} distance={sampleDistances[at]} />
        </chakra.li>
      ))}
    </chakra.ul>
  );
}

interface SampleProps {
  car: Preview['samples'][number];
  distance: number | undefined;
}

function Sample({ car, distance }: SampleProps) {
  const rating = car.priceBand?.rating;
  const band = bandText(car.priceBand);
  return (
    <Flex direction="column" gap="0.5" minW="0">
      <chakra.bdi fontSize="xs" lineHeight="1.3" fontWeight="600" lineClamp="2" overflowWrap="anywhere">
        {car.title}
      </chakra.bdi>
      <chakra.span
        fontFamily="heading"
        fontWeight="650"
        fontSize={car.price == null ? 'xs' : 'md'}
        color={car.price == null ? 'muted' : 'ink'}
        fontVariantNumeric="tabular-nums"
      >
        {priceText(car.price)}
      </chakra.span>
      {distance === undefined ? null : (
        <chakra.span fontSize="2xs" color="muted">
          {milesAway(distance)}
        </chakra.span>
      )}
      {rating ? (
        <Badge tone={rating === 'great' || rating === 'good' ? 'brand' : 'quiet'} alignSelf="flex-start">
          {ratingTexts[rating]}
        </Badge>
      ) : null}
      {band ? (
        <Box display={{ base: 'none', xl: 'block' }} fontSize="2xs" color="muted">
          {band}
        </Box>
      ) : null}
    </Flex>
  );
}
