import { Box, chakra, Flex } from '@chakra-ui/react';
import { badTitleText } from '@lotwatch/api/forms/shown-facts';
import { cardPhotoSizes } from '@lotwatch/api/photo-sizes';
import { EyeOff } from 'lucide-react';
import { memo, type ReactNode, useId } from 'react';
import { graphql } from '../../gql/gql.ts';
import type { ListingCard_ListingFragment } from '../../gql/graphql.ts';
import { milesAway } from '../../lib/text/amounts.ts';
import { Button } from '../../ui/parts/Button.tsx';
import { Badge, Card } from '../../ui/parts/Card.tsx';
import { CardAge, CardFacts, CardLayout, CardPrice, CardTitle, DemoMark, ViewOnMarketplace } from './card-parts.tsx';
import { CompareButton } from './compare/CompareButton.tsx';
import { CarDetails } from './history/CarDetails.tsx';
import { Cautions } from './history/Cautions.tsx';
import { MarketLine } from './history/MarketLine.tsx';
import { SellerText } from './history/SellerText.tsx';
import { ListingPhoto } from './ListingPhoto.tsx';
import { endedTexts, placeText } from './listing-facts.ts';
import { CarNote } from './notes/CarNote.tsx';
import { OfferList } from './OfferList.tsx';
import { PriceFairness } from './PriceFairness.tsx';
import { PriceHistory } from './PriceHistory.tsx';
import { SaveButton } from './SaveButton.tsx';
import { useSeenEdge } from './use-seen-edge.ts';

export const ListingCardFragment = graphql(`
  fragment ListingCard_listing on Listing {
    id
    title
    price
    photos
    trim
    mileage
    transmission
    fuel
    drive
    body
    titleStatus
    color
    condition
    location { reverse_geocode { city state } }
    distance
    year
    make
    model
    isNew
    viewed
    saved
    note
    status
    marketplaceUrl
    createdAt
    alertIds
    carId
    priceHistory { price seenAt }
    priceBand { low middle high n rating reason }
    daysOnMarket
    relists
    cautions { kind reason }
    offers { id source price marketplaceUrl status }
  }
`);

export interface ListingCardProps {
  listing: ListingCard_ListingFragment;
  now: Date;
  /** Miles to show instead of those to the nearest alert. */
  distance?: number | null | undefined;
  /** Chips below the place. */
  chips?: ReactNode;
  /** Small type at the foot. */
  foot?: ReactNode;
  compact?: boolean;
  /** Hides the car; without it there is no button for it. */
  onHide?: (() => void) | undefined;
}

/** One car, with the most important facts largest and a single action. */
export const ListingCard = memo(function ListingCard({
  listing,
  now,
  distance,
  chips,
  foot,
  compact = false,
  onHide,
}: ListingCardProps) {
  const titleId = useId();
  const ended = listing.status === 'for_sale' ? null : endedTexts[listing.status];
  const isMarked = listing.isNew && !ended;
  const [edgeRef, isSeen] = useSeenEdge(listing.id, isMarked);
  const badTitle = badTitleText(listing.titleStatus);
  const away = distance ?? listing.distance;
  const action = (
    <>
      {onHide ? (
        <Button data-hides variant="ghost" color="muted" px="2" aria-describedby={titleId} onClick={onHide}>
          <EyeOff size={15} aria-hidden />
          Not this car
        </Button>
      ) : null}
      <ViewOnMarketplace id={listing.id} marketplaceUrl={listing.marketplaceUrl} describedBy={titleId} />
    </>
  );
  return (
    <Card ref={edgeRef} pad="none" edge={isMarked && !isSeen ? 'beam' : 'line'} transition="border-color 1.2s">
      <CardLayout aria-labelledby={titleId} css={{ '--photo': compact ? '168px' : 'var(--card-photo, 240px)' }}>
        <Box position="relative" alignSelf="start">
          <ListingPhoto
            images={listing.photos}
            title={listing.title}
            color={listing.color}
            dimmed={ended !== null}
            sizes={compact ? cardPhotoSizes.compact : cardPhotoSizes.normal}
          />
          <DemoMark title={listing.title} />
          <SaveButton listing={listing} describedBy={titleId} />
        </Box>
        <Flex direction="column" minW="0" gap="1">
          <Flex justify="space-between" align="flex-start" gap="3" minH="22px">
            <Flex gap="2" align="center" wrap="wrap" minH="22px" minW="0">
              <CardAge {...listing} now={now} />
              {ended ? <Badge tone="quiet">{ended}</Badge> : null}
              {badTitle ? <Badge tone="bad">{badTitle}</Badge> : null}
              {listing.offers.length > 1 ? <Badge tone="brand">{listing.offers.length} offers</Badge> : null}
            </Flex>
            <CardPrice price={listing.price} />
          </Flex>
          <CardTitle titleId={titleId} id={listing.id} title={listing.title} marketplaceUrl={listing.marketplaceUrl} />
          <CardFacts listing={listing} />
          <Box fontSize="sm">
            <chakra.bdi overflowWrap="anywhere">{placeText(listing.location)}</chakra.bdi>
            {away == null ? null : <chakra.span color="muted"> · {milesAway(away)}</chakra.span>}
          </Box>
          {ended ? null : <PriceFairness listing={listing} />}
          <MarketLine listing={listing} />
          {ended ? null : <Cautions cautions={listing.cautions} />}
          <PriceHistory history={listing.priceHistory} price={listing.price} now={now} />
          {chips}
          <OfferList offers={listing.offers} />
          {compact ? null : <SellerText id={listing.id} />}
          {compact ? null : <CarDetails listing={listing} now={now} />}
          <Flex columnGap="5" wrap="wrap" align="center">
            <CarNote listing={listing} describedBy={titleId} />
            <CompareButton listing={listing} describedBy={titleId} />
          </Flex>
          {compact ? null : <Foot action={action}>{foot}</Foot>}
        </Flex>
        {compact ? <Foot action={action}>{foot}</Foot> : null}
      </CardLayout>
    </Card>
  );
});

/** At the end of the texts; on the shorter card below the photo too, where there is more room. */
function Foot({ children, action }: { children: ReactNode; action: ReactNode }) {
  return (
    <Flex
      gridColumn="1 / -1"
      mt="auto"
      pt={{ base: '2', md: '1' }}
      gap="3"
      align={{ base: 'stretch', sm: 'center' }}
      justify="space-between"
      direction={{ base: 'column', sm: 'row' }}
      wrap={{ sm: 'wrap' }}
    >
      <Box fontSize="2xs" color="muted" minW="0" flex={{ sm: '1 1 8rem' }}>
        {children}
      </Box>
      <Flex
        gap="1.5"
        wrap="wrap-reverse"
        flexShrink={0}
        ml={{ sm: 'auto' }}
        maxW="full"
        css={{ '& > *': { flexGrow: { base: '1', sm: '0' } } }}
      >
        {action}
      </Flex>
    </Flex>
  );
}
