import { NetworkStatus } from '@apollo/client';
import { useQuery } from '@apollo/client/react';
import { Box, Flex } from '@chakra-ui/react';
import type { MouseEvent } from 'react';
import { graphql } from '../../gql/gql.ts';
import type { ListingCard_ListingFragment } from '../../gql/graphql.ts';
import { readFault } from '../../lib/server/faults/errors.ts';
import { useFailure } from '../../lib/server/faults/use-failure.ts';
import { announce } from '../../lib/state/announce.ts';
import { useNow } from '../../lib/state/now.ts';
import { dayText } from '../../lib/text/time.ts';
import { Button, LinkButton } from '../../ui/parts/Button.tsx';
import { LoadOlder } from '../../ui/parts/sections/LoadOlder.tsx';
import { EmptyState, ErrorPanel, LoadingNote } from '../../ui/parts/states.tsx';
import { VisuallyHidden } from '../../ui/parts/VisuallyHidden.tsx';
import { CardItem, placeOf } from './CardItem.tsx';
import { ListControls } from './choice/ListControls.tsx';
import { csvAddress, useListChoice } from './choice/use-list-choice.ts';
import { ListingCard } from './ListingCard.tsx';
import { ListingSkeletons } from './ListingSkeletons.tsx';
import { useHideCar } from './use-hide-car.ts';
import { useSaveListing } from './use-save-listing.ts';

const SavedListingsDocument = graphql(`
  query SavedListings($after: ID, $sort: ListSort, $only: [ListFilter!]) {
    savedListings(first: 20, after: $after, sort: $sort, only: $only) {
      nodes {
        id
        savedAt
        listing { ...ListingCard_listing hidden }
      }
      endCursor
      hasMore
      total
    }
  }
`);

/** Whether the saved list has cars, as far as it is loaded. */
export function useHasSaved(): boolean {
  const { variables } = useListChoice();
  const { data, previousData } = useQuery(SavedListingsDocument, { variables, fetchPolicy: 'cache-only' });
  return ((data ?? previousData)?.savedListings.total ?? 0) > 0;
}

const savedFilters = ['new', 'price_drop', 'below_fair_price'] as const;

/** The saved cars, those that were saved last first unless the address says otherwise. A car that is removed stays until the page is left, so that it can be saved again. */
export function SavedList() {
  const choice = useListChoice();
  const result = useQuery(SavedListingsDocument, { variables: choice.variables, fetchPolicy: 'cache-and-network' });
  const error = useFailure(result);
  const now = useNow(30_000);
  const page = error && !result.data ? undefined : (result.data ?? result.previousData)?.savedListings;
  // What was removed on an earlier visit is in the cache until the server has answered.
  const isOld = result.networkStatus === NetworkStatus.loading || result.networkStatus === NetworkStatus.setVariables;
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
  if (page.nodes.length === 0 && choice.only.length === 0) {
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
      {page.total > 1 || !choice.isPlain ? (
        <Box mb="3.5">
          <ListControls
            what="saved cars"
            choice={choice}
            choose={choice.choose}
            filters={savedFilters}
            newestText="Saved last"
            file={csvAddress('/api/listings/saved/export', choice)}
          />
        </Box>
      ) : null}
      {page.nodes.length === 0 ? (
        <EmptyState
          title="No saved car is left by these filters"
          action={
            <Button variant="outline" onClick={() => choice.choose({ only: [] })}>
              Show all saved cars
            </Button>
          }
        />
      ) : (
        <Flex
          as="ul"
          direction="column"
          gap="3.5"
          listStyleType="none"
          aria-busy={isOld}
          opacity={result.data ? 1 : 0.55}
          transition="opacity 150ms 100ms"
        >
          {page.nodes.map(({ id, savedAt, listing }, index) =>
            listing && (listing.saved || !isOld) ? (
              <CardItem key={id} id={`saved ${id}`} place={placeOf(index)}>
                <ListingCard
                  listing={listing}
                  now={now}
                  foot={
                    listing.saved ? (
                      <Kept listing={listing} saved={`Saved on ${dayText(savedAt, now)}`} />
                    ) : (
                      <Removed id={listing.id} title={listing.title} />
                    )
                  }
                />
              </CardItem>
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
      )}
    </section>
  );
}

/** Of a saved car; one that is hidden from the matches can be shown there again. */
function Kept({ listing, saved }: { listing: ListingCard_ListingFragment & { hidden: boolean }; saved: string }) {
  const hide = useHideCar(listing);
  if (!listing.hidden) return saved;
  return (
    <Flex align="center" columnGap="3" rowGap="1.5" wrap="wrap">
      <span>{saved} · Hidden from your matches</span>
      <Button
        variant="outline"
        size="sm"
        aria-label={`Show again: ${listing.title}`}
        onClick={({ currentTarget }) => {
          focusSave(currentTarget);
          void hide(false);
        }}
      >
        Show again
      </Button>
    </Flex>
  );
}

/** Of a button at the foot of a card that goes away by its press. */
const focusSave = (pressed: HTMLElement) =>
  pressed.closest('article')?.querySelector<HTMLElement>('[data-saves]')?.focus();

/** Of a car that was removed, also one that no alert finds any more. */
function Removed({ id, title }: { id: string; title: string }) {
  const save = useSaveListing(id);
  async function saveAgain({ currentTarget }: MouseEvent<HTMLElement>): Promise<void> {
    focusSave(currentTarget);
    if (await save(true)) announce(`${title} is among your saved cars again.`);
  }
  return (
    <Flex align="center" gap="3" wrap="wrap" fontSize="sm" role="status">
      <span>Removed from your saved cars.</span>
      <Button variant="outline" size="sm" aria-label={`Save again: ${title}`} onClick={saveAgain}>
        Save again
      </Button>
    </Flex>
  );
}
