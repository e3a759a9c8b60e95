import { Box, Flex } from '@chakra-ui/react';
import { ratingTexts } from '@lotwatch/api/price-words';
import type { ListingCard_ListingFragment } from '../../gql/graphql.ts';
import { Badge } from '../../ui/parts/Card.tsx';
import { bandText } from './price-words.ts';

/** How the price compares with those of cars like it, or why nobody can tell. Nothing where nothing is known. */
export function PriceFairness({ listing: { priceBand } }: { listing: Pick<ListingCard_ListingFragment, 'priceBand'> }) {
  const text = bandText(priceBand);
  if (!priceBand || !text) return null;
  const { rating } = priceBand;
  return (
    <Flex gap="2" align="center" wrap="wrap" fontSize="xs" color="muted" fontVariantNumeric="tabular-nums">
      {rating ? (
        <Badge tone={rating === 'great' || rating === 'good' ? 'brand' : 'quiet'}>{ratingTexts[rating]}</Badge>
      ) : null}
      <Box minW="0">{text}</Box>
    </Flex>
  );
}
