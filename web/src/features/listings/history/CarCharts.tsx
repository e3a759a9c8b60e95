import { useQuery } from '@apollo/client/react';
import { Box, Flex } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { graphql } from '../../../gql/gql.ts';
import { readFault } from '../../../lib/server/faults/errors.ts';
import { useFailure } from '../../../lib/server/faults/use-failure.ts';
import { Button } from '../../../ui/parts/Button.tsx';
import { Heading } from '../../../ui/parts/Card.tsx';
import { refusalText } from '../price-words.ts';
import { ChartSkeleton, Charts, MIN_HEIGHT, NoChart } from './ChartSkeleton.tsx';
import { PriceChart } from './PriceChart.tsx';
import { Scatter, type ThisCar } from './Scatter.tsx';

const CarHistoryDocument = graphql(`
  query CarHistory($id: ID!) {
    carHistory(listingId: $id) {
      source
      status
      url
      price
      listedAt
      lastSeenAt
      isCurrent
      prices { price seenAt }
    }
  }
`);

const ComparableCarsDocument = graphql(`
  query ComparableCars($id: ID!) {
    comparableCars(listingId: $id, first: 200) {
      n
      reason
      points { title price mileage year }
      band { mileage low middle high }
    }
  }
`);

export interface CarChartsProps {
  listing: ThisCar & { id: string };
  now: Date;
}

/** A chart of the car's prices, and one of similar cars; each loads and fails by itself. */
export function CarCharts({ listing, now }: CarChartsProps) {
  return (
    <Charts>
      <History id={listing.id} now={now} />
      <Similar listing={listing} />
    </Charts>
  );
}

interface ChartFailedProps {
  title: string;
  /** What to do. */
  children: ReactNode;
  onRetry: () => Promise<unknown>;
}

/** In the place of a chart that could not be loaded; the other one stays. */
function ChartFailed({ title, children, onRetry }: ChartFailedProps) {
  // A second failure appears as the text.
  const retry = () => void onRetry().catch(() => undefined);
  return (
    <NoChart role="alert">
      <Box>
        {title} {children}
      </Box>
      <Button variant="outline" size="sm" onClick={retry}>
        Try again
      </Button>
    </NoChart>
  );
}

function History({ id, now }: { id: string; now: Date }) {
  const result = useQuery(CarHistoryDocument, { variables: { id }, fetchPolicy: 'cache-and-network' });
  const error = useFailure(result);
  const listings = result.data?.carHistory;
  if (listings) return <PriceChart listings={listings} now={now} />;
  if (!error) return <ChartSkeleton label="Loading the price history" />;
  return (
    <ChartFailed title="The price history could not be loaded." onRetry={() => result.refetch()}>
      {readFault(error).message}
    </ChartFailed>
  );
}

function Similar({ listing }: Pick<CarChartsProps, 'listing'>) {
  const { id } = listing;
  const result = useQuery(ComparableCarsDocument, { variables: { id }, fetchPolicy: 'cache-and-network' });
  const error = useFailure(result);
  const comparable = result.data?.comparableCars;
  if (!comparable && error) {
    return (
      <ChartFailed title="Similar cars could not be loaded." onRetry={() => result.refetch()}>
        {readFault(error).message}
      </ChartFailed>
    );
  }
  if (!comparable) return <ChartSkeleton label="Loading similar cars" />;
  return (
    <Flex as="section" direction="column" gap="2" minH={MIN_HEIGHT} aria-label="Prices of similar cars">
      <Heading as="h4" size="sm">
        Similar cars
      </Heading>
      {comparable.reason ? (
        <NoChart>{refusalText(comparable.reason)}</NoChart>
      ) : (
        <>
          <Box>
            {comparable.points.length === comparable.n
              ? `${comparable.n} cars`
              : `The newest ${comparable.points.length} cars of the last 180 days; the price band rests on ${comparable.n.toLocaleString('en-US')}.`}
          </Box>
          <Scatter car={listing} comparable={comparable} />
        </>
      )}
    </Flex>
  );
}
