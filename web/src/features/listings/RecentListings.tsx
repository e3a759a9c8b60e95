import { Box, Flex } from '@chakra-ui/react';
import { useCallback, useLayoutEffect, useRef, useState } from 'react';
import { graphql } from '../../gql/gql.ts';
import type { ListingCard_ListingFragment } from '../../gql/graphql.ts';
import { useCatalogue, vehicleLabel } from '../../lib/server/catalogue.ts';
import { useSiteFacts } from '../../lib/server/site.ts';
import { useWithoutHidden } from '../../lib/state/hidden-cars.ts';
import { useNow } from '../../lib/state/now.ts';
import { Button } from '../../ui/parts/Button.tsx';
import { Muted } from '../../ui/parts/Card.tsx';
import { EmptyState } from '../../ui/parts/states.tsx';
import { ArrivalList } from './ArrivalList.tsx';
import { HideableCard } from './HideableCard.tsx';

/** The newest matches of all alerts; further ones by cursor. */
export const RecentListingsDocument = graphql(`
  query RecentListings($after: String) {
    matches(first: 50, after: $after) {
      nodes {
        matchedAt
        alert { id }
        listing { ...ListingCard_listing }
      }
      endCursor
      hasMore
    }
  }
`);

const firstShown = 3;
const moreAtOnce = 6;
const carOf = (listing: { carId: string }) => listing.carId;

/** The place of a card that isn't there. */
const free = { xl: { borderWidth: '1px', borderStyle: 'dashed', borderColor: 'fieldLine', borderRadius: 'card' } };

interface RecentListingsProps {
  /** Each car once, newest first. */
  listings: readonly ListingCard_ListingFragment[];
  /** Whether the server has older ones, and how to fetch them. */
  hasMore: boolean;
  loadOlder: () => Promise<unknown>;
  /** Whether any alert is active. */
  isWatching: boolean;
  /** In how many columns there is room for cards on a wide screen. */
  columns: 1 | 2;
}

/** The newest cars that match any alert: three at first, more on demand. */
export function RecentListings({ listings: fetched, hasMore, loadOlder, isWatching, columns }: RecentListingsProps) {
  const listings = useWithoutHidden(fetched, carOf);
  const [limit, setLimit] = useState(firstShown);
  const [state, setState] = useState<'idle' | 'loading' | 'failed'>('idle');
  const box = useRef<HTMLDivElement>(null);
  const catalogue = useCatalogue();
  const site = useSiteFacts();
  const now = useNow(30_000);
  // The button may disappear with the click, so the focus moves to the first new card.
  const focusAt = useRef<number>(null);
  useLayoutEffect(() => {
    const card = focusAt.current === null ? undefined : box.current?.querySelectorAll('article')[focusAt.current];
    if (!card) return;
    focusAt.current = null;
    card.querySelector<HTMLElement>('a, button')?.focus();
  });
  const draw = useCallback(
    (listing: ListingCard_ListingFragment) => (
      <HideableCard
        listing={listing}
        now={now}
        foot={`Matches ${vehicleLabel(catalogue, listing.make, listing.model)}`}
        compact
      />
    ),
    [now, catalogue],
  );
  if (listings.length === 0) {
    return (
      <EmptyState title="No Matches Yet">
        {isWatching
          ? `No matching listings found yet. We check every ${site?.checkEverySeconds ?? 60} seconds and will notify you.`
          : 'No matching listings found yet. Switch an alert on, and we will notify you.'}
      </EmptyState>
    );
  }
  const showMore = () => {
    focusAt.current = limit;
    setLimit(limit + moreAtOnce);
  };
  const loadMore = async () => {
    if (!hasMore || listings.length >= limit + moreAtOnce) return showMore();
    setState('loading');
    try {
      await loadOlder();
      setState('idle');
      showMore();
    } catch {
      setState('failed');
    }
  };
  return (
    <Box ref={box}>
      <ArrivalList
        items={listings}
        keyOf={carOf}
        limit={limit}
        label="Recent matching listings"
        columns={columns}
        end={
          listings.length > limit || hasMore ? (
            // An odd number of cards leaves this place free beside the last one.
            <Flex
              direction="column"
              align="center"
              justify="center"
              gap="2"
              pt="0.5"
              h="full"
              css={columns === 2 ? free : undefined}
            >
              {state === 'failed' ? <Muted role="alert">Older matches could not be loaded.</Muted> : null}
              <Button variant="outline" disabled={state === 'loading'} onClick={() => void loadMore()}>
                {state === 'loading' ? 'Loading...' : 'Load more results'}
              </Button>
            </Flex>
          ) : null
        }
      >
        {draw}
      </ArrivalList>
    </Box>
  );
}
