import { useQuery } from '@apollo/client/react';
import { Box, chakra, Flex, Grid } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { useViewer } from '../../features/account/viewer.ts';
import { AlertList, MyAlertsDocument } from '../../features/alerts/AlertList.tsx';
import { AlertSkeletons } from '../../features/alerts/AlertSkeletons.tsx';
import { greeting } from '../../features/alerts/alert-words.ts';
import { deduplicateListings } from '../../features/listings/deduplicate-cars.ts';
import { ListingSkeletons } from '../../features/listings/ListingSkeletons.tsx';
import { RecentListings, RecentListingsDocument } from '../../features/listings/RecentListings.tsx';
import { useLiveReady } from '../../lib/server/client/live-connection.ts';
import { readFault } from '../../lib/server/faults/errors.ts';
import { useFailure } from '../../lib/server/faults/use-failure.ts';
import { newCarCount } from '../../lib/state/new-cars.ts';
import { useNow } from '../../lib/state/now.ts';
import { useStore } from '../../lib/state/store.ts';
import { plural } from '../../lib/text/time.ts';
import { LinkButton, TextLink } from '../../ui/parts/Button.tsx';
import { Badge, Heading } from '../../ui/parts/Card.tsx';
import { PageTitle } from '../../ui/parts/PageTitle.tsx';
import { EmptyState, ErrorPanel, LoadingNote } from '../../ui/parts/states.tsx';

export function DashboardPage() {
  const { viewer } = useViewer();
  const skip = !useLiveReady();
  const now = useNow(60_000);
  const alerts = useQuery(MyAlertsDocument, { skip });
  const recent = useQuery(RecentListingsDocument, { skip });
  const noAlerts = useFailure(alerts);
  const noMatches = useFailure(recent);
  const mine = alerts.data?.alerts;
  const page = recent.data?.matches;
  const listings = page && deduplicateListings(page.nodes.map(({ listing }) => listing));
  const newCars = useStore(newCarCount);
  return (
    <>
      <PageTitle
        title={viewer ? `${greeting(now)}, ${viewer.username}` : greeting(now)}
        documentTitle="Dashboard"
        subtitle={<Box minH="6">{listings && newCars !== null ? newCarsText(newCars) : null}</Box>}
      />
      <Grid templateColumns={{ base: 'minmax(0, 1fr)', xl: '380px minmax(0, 1fr)' }} gap="7" mt="5" alignItems="start">
        <section aria-labelledby="my-alerts">
          <SectionHead id="my-alerts" title="My Alerts" count={mine?.length}>
            <LinkButton to="/create-alert">Create Alert</LinkButton>
          </SectionHead>
          {mine ? (
            mine.length > 0 ? (
              <AlertList alerts={mine} headingLevel={3} />
            ) : (
              <EmptyState
                title="No Alerts Set Up"
                action={<LinkButton to="/create-alert">Create Your First Alert</LinkButton>}
              >
                Describe the car that you want, and we will watch for it.
              </EmptyState>
            )
          ) : noAlerts ? (
            <SectionFailed what="Your alerts" error={noAlerts} retry={alerts.refetch} />
          ) : (
            <>
              <LoadingNote>Loading your alerts</LoadingNote>
              <AlertSkeletons />
            </>
          )}
        </section>
        {/* On a phone it is below a list of unknown length and would move while it is read. */}
        <chakra.section
          aria-labelledby="recent-listings"
          display={{ base: mine || noAlerts ? 'block' : 'none', xl: 'block' }}
        >
          <SectionHead id="recent-listings" title="Recent Matching Listings">
            <TextLink to="/saved">Saved cars</TextLink>
          </SectionHead>
          {page && listings ? (
            <RecentListings
              listings={listings}
              hasMore={page.hasMore}
              loadOlder={() => recent.fetchMore({ variables: { after: page.endCursor } })}
            />
          ) : noMatches ? (
            <SectionFailed what="Your matches" error={noMatches} retry={recent.refetch} />
          ) : (
            <>
              <LoadingNote>Loading your matches</LoadingNote>
              <ListingSkeletons compact />
            </>
          )}
        </chakra.section>
      </Grid>
    </>
  );
}

const newCarsText = (count: number): string =>
  count === 0 ? 'No new cars in the last 24 hours.' : `${plural(count, 'new car')} in the last 24 hours.`;

interface SectionHeadProps {
  id: string;
  title: string;
  count?: number | undefined;
  children?: ReactNode;
}

function SectionHead({ id, title, count, children }: SectionHeadProps) {
  return (
    <Flex align="center" justify="space-between" gap="3" minH="44px" mb="3">
      <Flex align="center" gap="2.5">
        <Heading as="h2" id={id} size="md">
          {title}
        </Heading>
        {count === undefined ? null : <Badge tone="quiet">{count}</Badge>}
      </Flex>
      {children}
    </Flex>
  );
}

function SectionFailed({ what, error, retry }: { what: string; error: unknown; retry: () => Promise<unknown> }) {
  return (
    <ErrorPanel title={`${what} could not be loaded`} onRetry={() => retry()}>
      {readFault(error).message}
    </ErrorPanel>
  );
}
