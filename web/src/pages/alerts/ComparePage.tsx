import { useQuery } from '@apollo/client/react';
import { Flex } from '@chakra-ui/react';
import { useEffect, useRef, useState } from 'react';
import { useSearchParams } from 'react-router-dom';
import { CompareTable } from '../../features/listings/compare/CompareTable.tsx';
import { ShareCarsButton } from '../../features/sharing/ShareCarsButton.tsx';
import { graphql } from '../../gql/gql.ts';
import type { ListingCard_ListingFragment } from '../../gql/graphql.ts';
import { readFault } from '../../lib/server/faults/errors.ts';
import { useFailure } from '../../lib/server/faults/use-failure.ts';
import { announce } from '../../lib/state/announce.ts';
import { compareCar, dropCompared, MAX_COMPARED } from '../../lib/state/compared-cars.ts';
import { isAlertId } from '../../lib/text/alert-id.ts';
import { plural } from '../../lib/text/time.ts';
import { BackLink, LinkButton } from '../../ui/parts/Button.tsx';
import { Muted } from '../../ui/parts/Card.tsx';
import { PageTitle } from '../../ui/parts/PageTitle.tsx';
import { EmptyState, ErrorPanel, LoadingNote, Skeleton } from '../../ui/parts/states.tsx';

/** Each car by its own field, as only those are found that the viewer may read. */
const CompareDocument = graphql(`
  query CompareCars($first: ID!, $second: ID!, $third: ID!, $fourth: ID!) {
    first: listing(id: $first) { hidden ...ListingCard_listing }
    second: listing(id: $second) { hidden ...ListingCard_listing }
    third: listing(id: $third) { hidden ...ListingCard_listing }
    fourth: listing(id: $fourth) { hidden ...ListingCard_listing }
  }
`);

/** No listing has it. */
const NONE = '0';

const idsOf = (params: URLSearchParams): string[] =>
  [...new Set((params.get('ids') ?? '').split(',').filter(Boolean))].slice(0, MAX_COMPARED);

/** Whether such a car exists, it does not say. */
const goneText = (count: number): string =>
  `${plural(count, 'car')} ${count === 1 ? 'is' : 'are'} no longer among your matches or saved cars.`;

/** Without an id the address has no parameter. */
const withIds = (ids: readonly string[]): Record<string, string> => (ids.length > 0 ? { ids: ids.join(',') } : {});

/** Up to four cars side by side, whose ids stand in the address. Those that the viewer may not see leave it, which is said. */
export function ComparePage() {
  const [params, setParams] = useSearchParams();
  const top = useRef<HTMLDivElement>(null);
  const ids = idsOf(params);
  const [first = NONE, second = NONE, third = NONE, fourth = NONE] = ids;
  const result = useQuery(CompareDocument, {
    variables: { first, second, third, fourth },
    skip: ids.length === 0,
    fetchPolicy: 'cache-and-network',
  });
  const error = useFailure(result);
  const data = result.data ?? result.previousData;
  const cars = (data ? [data.first, data.second, data.third, data.fourth] : []).flatMap((car) =>
    car != null && ids.includes(car.id) ? car : [],
  );
  const isAnswered = result.data !== undefined && !result.loading;
  const missing = isAnswered ? ids.filter((id) => cars.every((car) => car.id !== id)).join(',') : '';
  const [gone, setGone] = useState<readonly string[]>([]);
  useEffect(() => {
    if (missing === '') return;
    const ids = missing.split(',');
    dropCompared(ids);
    const cars = ids.filter(isAlertId);
    setGone((before) => [...new Set([...before, ...cars])]);
    if (cars.length > 0) announce(goneText(cars.length));
    setParams((now) => withIds(idsOf(now).filter((id) => !ids.includes(id))), { replace: true });
  }, [missing, setParams]);
  const remove = (car: ListingCard_ListingFragment) => {
    compareCar(car, false);
    setParams(withIds(ids.filter((id) => id !== car.id)), { replace: true });
    announce(`${car.title} is no longer compared.`);
    // The pressed button is gone.
    top.current?.focus();
  };
  return (
    <Flex direction="column" gap="5">
      <div>
        <BackLink to="/dashboard" mb={{ base: '1', md: '2' }}>
          Dashboard
        </BackLink>
        <PageTitle
          title="Compare Cars"
          subtitle="What is best in its row is marked in words."
          actions={cars.length > 0 ? <ShareCarsButton key={cars.map(({ id }) => id).join()} cars={cars} /> : null}
        />
      </div>
      <Flex ref={top} tabIndex={-1} direction="column" gap="3.5" _focusVisible={{ outline: 'none' }}>
        {cars.length > 0 ? (
          <>
            {gone.length > 0 ? <Muted>{goneText(gone.length)}</Muted> : null}
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
            title={gone.length > 0 ? 'No Cars Left to Compare' : 'No Cars to Compare Yet'}
            level="h2"
            action={<LinkButton to="/dashboard">See your matches</LinkButton>}
          >
            {gone.length > 0 ? `${goneText(gone.length)} ` : ''}Press “Compare” on the cards of two to four cars.
          </EmptyState>
        )}
      </Flex>
    </Flex>
  );
}
