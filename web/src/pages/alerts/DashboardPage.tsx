import { useQuery } from '@apollo/client/react';
import { Box, chakra, Grid } from '@chakra-ui/react';
import { lazy, Suspense, useMemo, useRef } from 'react';
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
import { useLater } from '../../lib/state/use-later.ts';
import { useVeryWide } from '../../lib/state/use-wide.ts';
import { pluralMatches } from '../../lib/text/time.ts';
import { LinkButton, TextLink } from '../../ui/parts/Button.tsx';
import { PageTitle } from '../../ui/parts/PageTitle.tsx';
import { ErrorPanel, LoadingNote } from '../../ui/parts/states.tsx';
import { SectionHead } from './SectionHead.tsx';

const NoAlertsYet = lazy(() => import('./NoAlertsYet.tsx').then((m) => ({ default: m.NoAlertsYet })));

/** So few alerts have the whole width, and their cars two columns. */
const FEW = 2;

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
  const nodes = useLater(page?.nodes, `${page === undefined}`);
  const listings = useMemo(() => nodes && deduplicateListings(nodes.map(({ listing }) => listing)), [nodes]);
  const newCars = useStore(newCarCount);
  const order = useOrder(mine?.length);
  const hasNone = mine?.length === 0;
  // The sections of a page that loads are others: what replaces them doesn't move.
  const known = mine ? 'known' : 'unknown';
  const alertSection = (
    <chakra.section key={`alerts ${known}`} aria-labelledby="my-alerts" {...(order !== 'few' && place.left)}>
      <SectionHead id="my-alerts" title="My Alerts" count={mine?.length}>
        <LinkButton to="/create-alert">Create Alert</LinkButton>
      </SectionHead>
      {mine ? (
        <AlertList alerts={mine} headingLevel={3} />
      ) : noAlerts ? (
        <SectionFailed what="Your alerts" error={noAlerts} retry={alerts.refetch} />
      ) : (
        <>
          <LoadingNote>Loading your alerts</LoadingNote>
          <AlertSkeletons />
        </>
      )}
    </chakra.section>
  );
  const listingSection = (
    // On a phone it is beside a list of unknown length and would move while it is read.
    <chakra.section
      key={`listings ${known}`}
      aria-labelledby="recent-listings"
      display={{ base: mine || noAlerts ? 'block' : 'none', xl: 'block' }}
      {...(order !== 'few' && place.right)}
    >
      <SectionHead id="recent-listings" title="Recent Matching Listings">
        <TextLink to="/saved">Saved cars</TextLink>
      </SectionHead>
      {page && listings && (mine || noAlerts) ? (
        <RecentListings
          listings={listings}
          hasMore={page.hasMore}
          loadOlder={() => recent.fetchMore({ variables: { after: page.endCursor } })}
          isWatching={mine?.some(({ isActive }) => isActive) ?? true}
          columns={order === 'few' ? 2 : 1}
        />
      ) : noMatches ? (
        <SectionFailed what="Your matches" error={noMatches} retry={recent.refetch} />
      ) : (
        <>
          <LoadingNote>Loading your matches</LoadingNote>
          <ListingSkeletons compact columns={order === 'few' ? 2 : 1} />
        </>
      )}
    </chakra.section>
  );
  return (
    <>
      <PageTitle
        title={viewer ? `${greeting(now)}, ${viewer.username}` : greeting(now)}
        documentTitle="Dashboard"
        subtitle={
          <Box minH="6">
            {hasNone ? 'Nothing is being watched yet.' : listings && newCars !== null ? newCarsText(newCars) : null}
          </Box>
        }
      />
      {hasNone ? (
        <Suspense fallback={<LoadingNote>Loading</LoadingNote>}>
          <NoAlertsYet />
        </Suspense>
      ) : (
        <Grid
          templateColumns={{ base: 'minmax(0, 1fr)', xl: order === 'few' ? undefined : '380px minmax(0, 1fr)' }}
          gap="7"
          mt="5"
          alignItems="start"
        >
          {order === 'many, narrow' ? [listingSection, alertSection] : [alertSection, listingSection]}
        </Grid>
      )}
    </>
  );
}

/** On a wide screen, whatever comes first in the page: the server can't know the width. */
const place = {
  left: { gridColumn: { xl: '1' }, gridRow: { xl: '1' } },
  right: { gridColumn: { xl: '2' }, gridRow: { xl: '1' } },
} as const;

type Order = 'few' | 'many' | 'many, narrow';

/**
 * How alerts and listings share the page: few alerts stand above the listings; more stand beside them and, where there is no
 * room for that, below them. It stays as it is while the page is open, so that nothing moves when an alert is deleted.
 */
function useOrder(count: number | undefined): Order {
  const first = useRef<number>(undefined);
  const isWide = useVeryWide();
  if (count) first.current ??= count;
  if (first.current === undefined) return 'many';
  if (first.current <= FEW) return 'few';
  return isWide ? 'many' : 'many, narrow';
}

const newCarsText = (count: number): string =>
  count === 0 ? 'No new cars in the last 24 hours.' : `${pluralMatches(count, 'new car')} in the last 24 hours.`;

function SectionFailed({ what, error, retry }: { what: string; error: unknown; retry: () => Promise<unknown> }) {
  return (
    <ErrorPanel title={`${what} could not be loaded`} onRetry={() => retry()}>
      {readFault(error).message}
    </ErrorPanel>
  );
}
