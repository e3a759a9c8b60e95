import { Box, Flex } from '@chakra-ui/react';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { graphql } from '../../gql/gql.ts';
import type { ListingCard_ListingFragment } from '../../gql/graphql.ts';
import { useCatalogue, vehicleLabel } from '../../lib/server/catalogue.ts';
import { useSiteFacts } from '../../lib/server/site.ts';
import { useNow } from '../../lib/state/now.ts';
import { Button } from '../../ui/parts/Button.tsx';
import { EmptyState } from '../../ui/parts/states.tsx';
import { ArrivalList } from './ArrivalList.tsx';
import { ListingCard } from './ListingCard.tsx';

export const RecentListingsDocument = graphql(`
  query RecentListings {
    recentListings { ...ListingCard_listing }
  }
`);

const firstShown = 3;
const moreAtOnce = 6;
const carOf = (listing: { carId: string }) => listing.carId;

/** The newest cars that match any alert: three at first, more on demand. Each car once. */
export function RecentListings({ listings }: { listings: readonly ListingCard_ListingFragment[] }) {
  const [limit, setLimit] = useState(firstShown);
  const box = useRef<HTMLDivElement>(null);
  const catalogue = useCatalogue();
  const site = useSiteFacts();
  const now = useNow(30_000);
  if (listings.length === 0) {
    return (
      <EmptyState title="No Matches Yet">
        No matching listings found yet. We check every {site?.checkEverySeconds ?? 60} seconds and will notify you.
      </EmptyState>
    );
  }
  // The button may go away with the click, and reading goes on at the first card that came.
  const loadMore = () => {
    flushSync(() => setLimit(limit + moreAtOnce));
    box.current?.querySelectorAll('article')[limit]?.querySelector<HTMLElement>('a, button')?.focus();
  };
  return (
    <Box ref={box}>
      <ArrivalList items={listings} keyOf={carOf} limit={limit} label="Recent matching listings">
        {(listing) => (
          <ListingCard
            listing={listing}
            now={now}
            foot={`Matches ${vehicleLabel(catalogue, listing.make, listing.model)}`}
            compact
          />
        )}
      </ArrivalList>
      {listings.length > limit ? (
        <Flex justify="center" mt="4">
          <Button variant="outline" onClick={loadMore}>
            Load more results
          </Button>
        </Flex>
      ) : null}
    </Box>
  );
}
