import { Box, chakra } from '@chakra-ui/react';
import { type FurtherFacts, furtherFacts } from '@lotwatch/api/forms/shown-facts';
import { ArrowUpRight } from 'lucide-react';
import { drawnUser, useDrawn } from '../../lib/state/drawn.ts';
import { priceText } from '../../lib/text/amounts.ts';
import { alertAge, listingAge, wholeDaysAge } from '../../lib/text/time.ts';
import { AnchorButton } from '../../ui/parts/Button.tsx';
import { Badge, Heading } from '../../ui/parts/Card.tsx';
import { isDemoTitle, listingFacts, type Stated, titleWithoutDemo } from './listing-facts.ts';
import { useListingLink } from './use-listing-link.ts';

/** Photo and texts of a car, beside each other where there is room for the photo's width, `--photo`. */
export const CardLayout = chakra('article', {
  base: {
    display: 'grid',
    gridTemplateColumns: { base: '1fr', md: 'var(--photo) minmax(0, 1fr)' },
    gap: { base: '3', md: '4' },
    p: '3.5',
  },
});

const dayMs = 24 * 60 * 60 * 1000;

interface CardAgeProps {
  createdAt: string;
  isNew?: boolean;
  now: Date;
}

/** How long ago a car was listed. */
export function CardAge({ createdAt, isNew = false, now }: CardAgeProps) {
  // A user's page is drawn in the time zone of the account.
  const daysAge = useDrawn() && drawnUser() === null ? wholeDaysAge : alertAge;
  if (isNew) return <Badge tone="beam">New · {listingAge(createdAt, now)}</Badge>;
  const isOld = now.getTime() - Date.parse(createdAt) >= dayMs;
  return (
    <Box fontSize="xs" color="muted">
      {isOld ? daysAge(createdAt, now) : listingAge(createdAt, now)}
    </Box>
  );
}

/** The asking price, the largest type of a card. */
export function CardPrice({ price }: { price?: number | null | undefined }) {
  return (
    <chakra.span
      fontFamily="heading"
      fontVariantNumeric="tabular-nums"
      fontWeight="650"
      letterSpacing="-0.02em"
      lineHeight="1.1"
      whiteSpace="nowrap"
      flexShrink={0}
      fontSize={price == null ? 'sm' : 'xl'}
      color={price == null ? 'muted' : 'ink'}
    >
      {priceText(price)}
    </chakra.span>
  );
}

const TitleLink = chakra('a', {
  base: {
    display: 'block',
    w: 'fit-content',
    maxW: 'full',
    // Room for a finger, over the gaps around the title.
    py: '1',
    my: '-1',
    borderRadius: '4px',
    _hover: { textDecoration: 'underline', textDecorationThickness: '2px', textUnderlineOffset: '3px' },
  },
});

interface CardTitleProps {
  /** Id for the heading, which names the car's card and its actions. */
  titleId: string;
  /** null for a car that is not marked as viewed. */
  id: string | null;
  title: string;
  marketplaceUrl: string;
}

/** The car's name, which opens its listing as the action of the card does. */
export function CardTitle({ titleId, id, title, marketplaceUrl }: CardTitleProps) {
  const link = useListingLink({ id, marketplaceUrl });
  return (
    <Heading as="h3" id={titleId} size="md" dir="auto" textAlign="left">
      <TitleLink {...link}>
        <chakra.span lineClamp="2">{titleWithoutDemo(title)}</chakra.span>
      </TitleLink>
    </Heading>
  );
}

/** 'Demo' in a corner of the photo of a car that was made up; stands in a box with the photo. */
export function DemoMark({ title }: { title: string }) {
  return isDemoTitle(title) ? (
    <Badge position="absolute" right="2" bottom="2" bg="rgb(18 32 31 / 78%)" color="white" pointerEvents="none">
      Demo
    </Badge>
  ) : null;
}

/** What is known of the car, the mileage first and in ink; below it, in small type, what the seller does not state. */
export function CardFacts({ listing }: { listing: Stated & FurtherFacts }) {
  const { mileage, stated, missing } = listingFacts(listing);
  const others = [...stated, ...furtherFacts(listing)];
  return (
    <>
      {mileage !== null || others.length > 0 ? (
        <Box fontSize="sm" color="muted" overflowWrap="anywhere">
          {mileage === null ? null : (
            <chakra.span color="ink" fontWeight="600" fontVariantNumeric="tabular-nums">
              {mileage}
            </chakra.span>
          )}
          {mileage !== null && others.length > 0 ? ' · ' : null}
          {others.join(' · ')}
        </Box>
      ) : null}
      {missing === null ? null : (
        <Box fontSize="2xs" color="muted">
          {missing}
        </Box>
      )}
    </>
  );
}

interface ViewOnMarketplaceProps {
  /** null for a car that is not marked as viewed. */
  id: string | null;
  marketplaceUrl: string;
  /** Id of the element that names the car. */
  describedBy: string;
}

/** Opens the listing's own page, else the marketplace's home, and marks the listing viewed. */
export function ViewOnMarketplace({ id, marketplaceUrl, describedBy }: ViewOnMarketplaceProps) {
  const link = useListingLink({ id, marketplaceUrl });
  return (
    <AnchorButton {...link} variant="outline" flexShrink={0} aria-describedby={describedBy}>
      View on Marketplace
      <ArrowUpRight size={15} aria-hidden />
    </AnchorButton>
  );
}
