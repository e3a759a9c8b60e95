import { useQuery } from '@apollo/client/react';
import { Flex } from '@chakra-ui/react';
import { useRef } from 'react';
import { useSearchParams } from 'react-router-dom';
import { CompareTable } from '../../features/listings/compare/CompareTable.tsx';
import { graphql } from '../../gql/gql.ts';
import type { ListingCard_ListingFragment } from '../../gql/graphql.ts';
import { readFault } from '../../lib/server/faults/errors.ts';
import { useFailure } from '../../lib/server/faults/use-failure.ts';
import { compareCar, MAX_COMPARED } from '../../lib/state/compared-cars.ts';
import { BackLink, LinkButton } from '../../ui/parts/Button.tsx';
import { Muted } from '../../ui/parts/Card.tsx';
import { PageTitle } from '../../ui/parts/PageTitle.tsx';
import { EmptyState, ErrorPanel, LoadingNote, Skeleton } from '../../ui/parts/states.tsx';

/** Each car by its own field, as only those are found that the viewer may read. */
const CompareDocument = graphql(`
  query CompareCars($first: ID!, $second: ID!, $third: ID!, $fourth: ID!) {
    first: listing(id: $first) { ...ListingCard_listing }
    second: listing(id: $second) { ...ListingCard_listing }
    third: listing(id: $third) { ...ListingCard_listing }
    fourth: listing(id: $fourth) { ...ListingCard_listing }
  }
`);

/** No listing has it. */
const NONE = '0';

/** Up to four cars side by side, whose ids stand in the address. */
export function ComparePage() {
  const [params, setParams] = useSearchParams();
  const top = useRef<HTMLDivElement>(null);
  const ids = [...new Set((params.get('ids') ?? '').split(',').filter(Boolean))].slice(0, MAX_COMPARED);
  const [first = NONE, second = NONE, third = NONE, fourth = NONE] = ids;
  const result = useQuery(CompareDocument, {
    variables: { first, second, third, fourth },
    skip: ids.length === 0,
    fetchPolicy: 'cache-and-network',
  });
  const error = useFailure(result);
  const data = result.data ?? result.previousData;
  const cars = (data ? [data.first, data.second, data.third, data.fourth] : []).filter(
    (car): car is ListingCard_ListingFragment => car != null && ids.includes(car.id),
  );
  const missing = result.data ? ids.length - cars.length : 0;
  const remove = (car: ListingCard_ListingFragment) => {
    compareCar(car, false);
    setParams({ ids: ids.filter((id) => id !== car.id).join(',') }, { replace: true });
    // The pressed button is gone.
    top.current?.focus();
  };
  return (
    <Flex direction="column" gap="5">
      <div>
        <BackLink to="/dashboard" mb={{ base: '1', md: '2' }}>
          Dashboard
        </BackLink>
        <PageTitle title="Compare Cars" subtitle="What is best in its row is marked in words." />
      </div>
      <Flex ref={top} tabIndex={-1} direction="column" gap="3.5" _focusVisible={{ outline: 'none' }}>
        {missing > 0 ? (
          <Muted role="status">
            {missing === 1 ? '1 car is' : `${missing} cars are`} no longer among your matches or saved cars.
          </Muted>
        ) : null}
        {cars.length > 0 ? (
          <>
            {cars.length === 1 ? <Muted>Choose at least one more car: press “Compare” on its card.</Muted> : null}
            <CompareTable cars={cars} onRemove={remove} />
          </>
        ) : error ? (
          <ErrorPanel title="The cars could not be loaded" onRetry={() => result.refetch()}>
            {readFault(error).message}
          </ErrorPanel>
        ) : result.loading ? (
          <>
            <LoadingNote>Loading the cars</LoadingNote>
            <Skeleton h="420px" borderRadius="card" />
          </>
        ) : (
          <EmptyState
            title="No Cars to Compare Yet"
            level="h2"
            action={<LinkButton to="/dashboard">See your matches</LinkButton>}
          >
            Press “Compare” on the cards of two to four cars.
          </EmptyState>
        )}
      </Flex>
    </Flex>
  );
}
