import { useQuery } from '@apollo/client/react';
import { Flex } from '@chakra-ui/react';
import { graphql } from '../../gql/gql.ts';
import { readFault } from '../../lib/server/faults/errors.ts';
import { useFailure } from '../../lib/server/faults/use-failure.ts';
import { useNow } from '../../lib/state/now.ts';
import { dayText } from '../../lib/text/time.ts';
import { LinkButton } from '../../ui/parts/Button.tsx';
import { LoadOlder } from '../../ui/parts/sections/LoadOlder.tsx';
import { EmptyState, ErrorPanel, LoadingNote } from '../../ui/parts/states.tsx';
import { VisuallyHidden } from '../../ui/parts/VisuallyHidden.tsx';
import { ListingCard } from './ListingCard.tsx';
import { ListingSkeletons } from './ListingSkeletons.tsx';

const SavedListingsDocument = graphql(`
  query SavedListings($after: ID) {
    savedListings(first: 20, after: $after) {
      nodes {
        id
        savedAt
        listing { ...ListingCard_listing }
      }
      endCursor
      hasMore
    }
  }
`);

/** The saved cars, those that were saved last first. A car that is removed stays until the page is left, so that it can be saved again. */
export function SavedList() {
  const result = useQuery(SavedListingsDocument, { fetchPolicy: 'cache-and-network' });
  const error = useFailure(result);
  const now = useNow(30_000);
  const page = result.data?.savedListings;
  if (!page && error) {
    return (
      <ErrorPanel title="Your saved cars could not be loaded" onRetry={() => result.refetch()}>
        {readFault(error).message}
      </ErrorPanel>
    );
  }
  if (!page) {
    return (
      <>
        <LoadingNote>Loading your saved cars</LoadingNote>
        <ListingSkeletons />
      </>
    );
  }
  if (page.nodes.length === 0) {
    return (
      <EmptyState
        title="No Saved Cars Yet"
        level="h2"
        action={<LinkButton to="/dashboard">See your matches</LinkButton>}
      >
        Press the bookmark on a car's photo to keep the car here.
      </EmptyState>
    );
  }
  return (
    <section aria-labelledby="saved-cars">
      <VisuallyHidden as="h2" id="saved-cars">
        Your saved cars
      </VisuallyHidden>
      <Flex as="ul" direction="column" gap="3.5" listStyleType="none">
        {page.nodes.map(({ id, savedAt, listing }) =>
          listing ? (
            <li key={id}>
              <ListingCard listing={listing} now={now} foot={`Saved on ${dayText(savedAt, now)}`} />
            </li>
          ) : null,
        )}
        {page.hasMore ? (
          <li>
            <LoadOlder
              what="saved cars"
              load={() => result.fetchMore({ variables: { after: page.endCursor ?? null } })}
            />
          </li>
        ) : null}
      </Flex>
    </section>
  );
}
