import { useQuery } from '@apollo/client/react';
import { Box, Flex } from '@chakra-ui/react';
import { useEffect, useState } from 'react';
import { useLocation, useSearchParams } from 'react-router-dom';
import { graphql } from '../../gql/gql.ts';
import { useFailure } from '../../lib/server/faults/use-failure.ts';
import { announce } from '../../lib/state/announce.ts';
import { useNow } from '../../lib/state/now.ts';
import { isAlertId } from '../../lib/text/alert-id.ts';
import { Button } from '../../ui/parts/Button.tsx';
import { Muted } from '../../ui/parts/Card.tsx';
import { HideableCard } from '../listings/HideableCard.tsx';
import { FirstPhoto } from '../listings/ListingPhoto.tsx';
import { carElementId } from './MarkableCar.tsx';

const AskedCarDocument = graphql(`
  query AskedCar($id: ID!) {
    listing(id: $id) { ...ListingCard_listing }
  }
`);

interface ListedCar {
  id: string;
  carId: string;
  title: string;
  offers: readonly { id?: string | null }[];
}

interface AskedCarProps {
  /** The matches that the list has. */
  matches: readonly { listing: ListedCar }[];
}

/**
 * The car that the page's address asks for, as a pressed push notification does: `?car=12`. Its card in the list takes the
 * focus; a car that the list does not have stands above it.
 */
export function AskedCar({ matches }: AskedCarProps) {
  const [params] = useSearchParams();
  const { key } = useLocation();
  const id = params.get('car');
  // Each press asks again, also for the same car.
  return id !== null && isAlertId(id) ? <Asked key={`${key} ${id}`} id={id} matches={matches} /> : null;
}

const ABOVE = 'asked-car';
const WORDS = 'The car of your message';
const MISSING = `${WORDS} no longer matches this alert.`;

function Asked({ id, matches }: AskedCarProps & { id: string }) {
  const now = useNow(30_000);
  const [listed] = useState(
    () => matches.find(({ listing }) => listing.id === id || listing.offers.some((offer) => offer.id === id))?.listing,
  );
  const result = useQuery(AskedCarDocument, { variables: { id }, skip: listed !== undefined });
  const error = useFailure(result);
  const found = result.data?.listing ?? undefined;
  const isMissing = result.data?.listing === null;
  const [other] = matches.filter(({ listing }) => listing.carId === found?.carId);
  const inList = listed ?? other?.listing;
  const title = inList?.title ?? found?.title;
  const elementId = inList ? carElementId(inList.carId) : found ? ABOVE : null;
  useEffect(() => {
    const element = elementId === null ? null : document.getElementById(elementId);
    element?.scrollIntoView({ block: 'start' });
    element?.focus({ preventScroll: true });
    if (element && title !== undefined) announce(`${WORDS}: ${title}`);
  }, [elementId, title]);
  if (inList) return null;
  if (found) {
    return (
      <Box as="section" id={ABOVE} aria-label={WORDS} tabIndex={-1} mb="5" scrollMarginTop="6rem" borderRadius="card">
        <Muted mb="2">{WORDS}</Muted>
        <FirstPhoto value>
          <HideableCard listing={found} now={now} />
        </FirstPhoto>
      </Box>
    );
  }
  return (
    <Box role="status">
      {isMissing ? <Muted mb="3.5">{MISSING}</Muted> : null}
      {/* The list below must not move when the answer is known. */}
      {isMissing || error ? null : (
        <Muted mb="3.5" aria-hidden visibility="hidden">
          {MISSING}
        </Muted>
      )}
      {error ? (
        <Flex align="center" gap="3" mb="3.5">
          <Muted>{WORDS} could not be loaded.</Muted>
          <Button variant="outline" size="sm" onClick={() => void result.refetch()}>
            Try Again
          </Button>
        </Flex>
      ) : null}
    </Box>
  );
}
