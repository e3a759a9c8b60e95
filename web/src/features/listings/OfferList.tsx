import { Box, chakra, Flex } from '@chakra-ui/react';
import { ArrowUpRight } from 'lucide-react';
import { priceText } from '../../lib/text/amounts.ts';
import { endedTexts } from './listing-facts.ts';
import { useListingLink } from './use-listing-link.ts';

interface Offer {
  id?: string | null;
  source: string;
  price?: number | null;
  marketplaceUrl: string;
  status: 'for_sale' | 'pending' | 'sold' | 'gone';
}

const Row = chakra('a', {
  base: {
    display: 'flex',
    alignItems: 'center',
    gap: '2.5',
    minH: { base: '44px', md: '34px' },
    px: '3',
    fontSize: 'sm',
    borderRadius: 'chip',
    color: 'ink',
    _hover: { bg: 'brandSoft' },
    // Outside the list's edge the ring would be cut off.
    _focusVisible: { outlineOffset: '-2px' },
    '& svg': { flexShrink: 0, color: 'muted' },
  },
});

/** The offers of one car, best first, each with a link to its page. Nothing for a single offer. */
export function OfferList({ offers }: { offers: readonly Offer[] }) {
  if (offers.length < 2) return null;
  return (
    <Flex
      as="ul"
      aria-label={`${offers.length} offers of this car`}
      direction="column"
      listStyleType="none"
      bg="sunk"
      borderRadius="field"
      py="1"
      my="1"
    >
      {offers.map((offer) => (
        <li key={offer.id ?? `${offer.source} ${offer.marketplaceUrl} ${offer.price}`}>
          <OfferRow offer={offer} />
        </li>
      ))}
    </Flex>
  );
}

function OfferRow({ offer }: { offer: Offer }) {
  const link = useListingLink(offer);
  return (
    <Row {...link}>
      <Box flex="1" minW="0" overflowWrap="anywhere">
        <bdi>{offer.source}</bdi>
        {offer.status === 'for_sale' ? null : <chakra.span color="muted"> · {endedTexts[offer.status]}</chakra.span>}
      </Box>
      <chakra.span fontWeight="600" fontVariantNumeric="tabular-nums" whiteSpace="nowrap">
        {priceText(offer.price)}
      </chakra.span>
      <ArrowUpRight size={15} aria-hidden />
    </Row>
  );
}
