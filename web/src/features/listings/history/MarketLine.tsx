import { Box } from '@chakra-ui/react';
import type { ListingCard_ListingFragment } from '../../../gql/graphql.ts';
import { marketText } from './market-words.ts';

type Shown = Pick<ListingCard_ListingFragment, 'daysOnMarket' | 'relists' | 'status'>;

/** For how long the car is for sale, and how often it was listed. Nothing for a new one. */
export function MarketLine({ listing }: { listing: Shown }) {
  const text = marketText(listing);
  return text === null ? null : (
    <Box fontSize="xs" color="muted" fontVariantNumeric="tabular-nums">
      {text}
    </Box>
  );
}
