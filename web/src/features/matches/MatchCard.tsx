import { chakra, Flex } from '@chakra-ui/react';
import { memo } from 'react';
import { graphql } from '../../gql/gql.ts';
import type { MatchCard_MatchFragment } from '../../gql/graphql.ts';
import { askedLabel, type Catalogue, vehicleLabel } from '../../lib/server/catalogue.ts';
import { Chip } from '../../ui/parts/Card.tsx';
import { HideableCard } from '../listings/HideableCard.tsx';
import { receiptText } from './receipt-text.ts';
import { verdictChips } from './verdict-chips.ts';

export const MatchCardFragment = graphql(`
  fragment MatchCard_match on Match {
    matchedAt
    announced
    foundByBackfill
    distance
    alert {
      id
      createdAt
      make
      model
      models
      yearMin
      yearMax
      priceMin
      priceMax
      color
      radius
      onlyWithImages
    }
    listing { ...ListingCard_listing }
    verdicts { criterion verdict asked }
    receipt { listedAt seenAt matchedAt handedOverAt deliveredAt deliveredBy }
  }
`);

/** What a pair that a backfill found was listed before; null for any other. */
const earlierThan = ({ foundByBackfill, alert, receipt }: MatchCard_MatchFragment) =>
  foundByBackfill ? (Date.parse(receipt.seenAt) < Date.parse(alert.createdAt) ? 'made' : 'changed') : null;

const Chips = chakra('ul', { base: { display: 'flex', flexWrap: 'wrap', gap: '1.5', listStyle: 'none', py: '1' } });

/** What the alert asks for and what the car is; of an alert for any model, the make alone. */
function vehiclesOf({ alert, listing }: MatchCard_MatchFragment, catalogue: Catalogue | undefined) {
  const model = alert.model || alert.models?.length ? listing.model : null;
  return {
    asked: askedLabel(catalogue, alert),
    found: vehicleLabel(catalogue, listing.make ?? alert.make, model),
  };
}

interface MatchCardProps {
  match: MatchCard_MatchFragment;
  now: Date;
  /** Until it is loaded, names are made of their slugs. */
  catalogue: Catalogue | undefined;
}

/** A listing with the reasons why it matched its alert and the receipt of how it got here. */
export const MatchCard = memo(function MatchCard({ match, now, catalogue }: MatchCardProps) {
  return (
    <HideableCard
      listing={match.listing}
      distance={match.distance}
      now={now}
      chips={
        <Chips aria-label="Why it matches">
          {verdictChips(match.verdicts, match.alert, vehiclesOf(match, catalogue)).map((chip) => (
            <Flex as="li" key={chip.criterion}>
              <Chip tone={chip.tone === 'met' ? 'met' : 'quiet'}>{chip.text}</Chip>
            </Flex>
          ))}
        </Chips>
      }
      foot={receiptText(match.receipt, now, earlierThan(match))}
    />
  );
});
