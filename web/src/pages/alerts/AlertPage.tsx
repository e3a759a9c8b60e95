import { useQuery } from '@apollo/client/react';
import { Box, Flex } from '@chakra-ui/react';
import { matchCountText } from '@lotwatch/api/match-cap';
import { memo, useRef } from 'react';
import { useParams } from 'react-router-dom';
import { AlertCriteria } from '../../features/alerts/AlertDetail.tsx';
import { AlertOverview } from '../../features/alerts/AlertOverview.tsx';
import { useSendTestNotification } from '../../features/alerts/use-alert-actions.ts';
import { ShowNew } from '../../features/listings/ArrivalList.tsx';
import { ListControls } from '../../features/listings/choice/ListControls.tsx';
import { csvAddress } from '../../features/listings/choice/use-list-choice.ts';
import { ListingSkeletons } from '../../features/listings/ListingSkeletons.tsx';
import { AskedCar } from '../../features/matches/AskedCar.tsx';
import { MapToggle, WithMap } from '../../features/matches/MapPane.tsx';
import { MatchList } from '../../features/matches/MatchList.tsx';
import { useAlertMatches } from '../../features/matches/use-alert-matches.ts';
import { useDrawnLimit } from '../../features/matches/use-drawn-limit.ts';
import { ShareAlertButton } from '../../features/sharing/ShareAlertButton.tsx';
import { graphql } from '../../gql/gql.ts';
import type { AlertFacts_AlertFragment, AlertMatchesQuery } from '../../gql/graphql.ts';
import { askedLabel, useCatalogue } from '../../lib/server/catalogue.ts';
import { useLiveReady } from '../../lib/server/client/live-connection.ts';
import { readFault } from '../../lib/server/faults/errors.ts';
import { useFailure } from '../../lib/server/faults/use-failure.ts';
import { useSiteFacts } from '../../lib/server/site.ts';
import { useHiddenCars, useWithoutHidden } from '../../lib/state/hidden-cars.ts';
import { useLater } from '../../lib/state/use-later.ts';
import { isAlertId } from '../../lib/text/alert-id.ts';
import { pluralMatches } from '../../lib/text/time.ts';
import { BackLink, Button, LinkButton } from '../../ui/parts/Button.tsx';
import { Badge, Heading } from '../../ui/parts/Card.tsx';
import { PageTitle, useDocumentTitle } from '../../ui/parts/PageTitle.tsx';
import { EmptyState, ErrorPanel, LoadingNote } from '../../ui/parts/states.tsx';
import { VisuallyHidden } from '../../ui/parts/VisuallyHidden.tsx';
import { AlertLoading } from './AlertLoading.tsx';
import { AlertQuestions } from './AlertQuestions.tsx';
import { MakeOneLike } from './MakeOneLike.tsx';

const AlertPageDocument = graphql(`
  query AlertPage($id: ID!) {
    alert(id: $id) { ...AlertFacts_alert }
    # With the alert, so that a line about them moves nothing.
    pushSubscriptions { id }
  }
`);

export function AlertPage() {
  const { id = '' } = useParams();
  const isReady = useLiveReady();
  const isId = isAlertId(id);
  const result = useQuery(AlertPageDocument, { variables: { id }, skip: !isReady || !isId });
  const error = useFailure(result);
  const alert = result.data?.alert;
  return (
    <>
      <BackLink to="/my-alerts" mt={{ base: '-4', md: '0' }} mb={{ base: '0', md: '4' }}>
        My Alerts
      </BackLink>
      {alert ? (
        // Another alert is another page, which must keep no state of the one before.
        <AlertView key={alert.id} alert={alert} hasDevice={result.data?.pushSubscriptions.length !== 0} />
      ) : error || result.data || !isId ? (
        <AlertFailed error={error} retry={() => result.refetch()} />
      ) : (
        <AlertLoading id={id} />
      )}
    </>
  );
}

interface AlertViewProps {
  alert: AlertFacts_AlertFragment;
  /** Whether a device gets the viewer's push notifications. */
  hasDevice: boolean;
}

function AlertView({ alert, hasDevice }: AlertViewProps) {
  return (
    <>
      <AlertHead alert={alert} hasDevice={hasDevice} />
      <Matches alert={alert} />
    </>
  );
}

/** Each match that arrives changes the count alone, which is none of these facts. */
const isSameHead = (before: AlertViewProps, now: AlertViewProps): boolean =>
  before.hasDevice === now.hasDevice &&
  (Object.keys(now.alert) as (keyof AlertFacts_AlertFragment)[]).every(
    (name) => name === 'matchCount' || before.alert[name] === now.alert[name],
  );

const AlertHead = memo(function AlertHead({ alert, hasDevice }: AlertViewProps) {
  const catalogue = useCatalogue();
  const { send, isSending } = useSendTestNotification();
  return (
    <>
      <PageTitle
        title={askedLabel(catalogue, alert)}
        mark={<Badge tone={alert.isActive ? 'brand' : 'quiet'}>{alert.isActive ? 'Active' : 'Inactive'}</Badge>}
        subtitle={<AlertCriteria alert={alert} />}
        actions={
          // In one row at every width: the longest name takes two lines before another row.
          <Flex gap={{ base: '2', md: '3' }}>
            {alert.emailNotifications ? (
              <Button variant="outline" disabled={isSending} onClick={() => void send(alert.id)}>
                Send Test Notification
              </Button>
            ) : null}
            <ShareAlertButton alert={alert} />
            <LinkButton to={`/edit-alert/${alert.id}`} flexShrink={0}>
              Edit Alert
            </LinkButton>
          </Flex>
        }
      />
      <Box mt={{ base: '3', md: '5' }}>
        <AlertOverview
          alert={alert}
          hasDevice={hasDevice}
          action={<MakeOneLike alert={alert} />}
          questions={(inCard) => <AlertQuestions alert={alert} inCard={inCard} />}
        />
      </Box>
    </>
  );
}, isSameHead);

const noMatches: AlertMatchesQuery['matches']['nodes'] = [];
const carOf = ({ listing }: AlertMatchesQuery['matches']['nodes'][number]) => listing.carId;
const matchFilters = ['new', 'price_drop', 'saved', 'below_fair_price'] as const;

function Matches({ alert }: { alert: AlertFacts_AlertFragment }) {
  const site = useSiteFacts();
  const matches = useAlertMatches(alert.id);
  const { choice, page, error } = matches;
  const hidden = useHiddenCars();
  const list = useRef<HTMLDivElement>(null);
  const showArrived = async () => {
    if (!(await matches.showArrived())) return;
    // The pressed button is gone.
    list.current?.querySelector('ul')?.focus({ preventScroll: true });
    list.current?.scrollIntoView({ block: 'start', behavior: 'smooth' });
  };
  const later = useLater(page?.nodes ?? noMatches, `${matches.listKey} ${matches.isOld} ${page === undefined}`);
  const nodes = useWithoutHidden(later, carOf);
  const { limit, drawMore } = useDrawnLimit(`${alert.id} ${matches.listKey}`);
  const [first] = nodes;
  // In a list that is not the newest first, those that arrive are only counted.
  const newest = first ? `${first.listing.id} ${first.matchedAt} ${matches.arrived}` : '';
  const count = Math.max(alert.matchCount, nodes.filter(({ listing }) => !hidden.has(listing.carId)).length);
  // Their count comes with the list, whose place a longer text would change.
  const left = choice.only.length === 0 || (error && !page) ? null : matches.isOld ? '…' : (page?.total ?? '…');
  return (
    <Box as="section" aria-labelledby="matches" mt={{ base: '1.5', md: '7' }}>
      <Flex align="center" justify="space-between" gap="2.5" mb={{ base: '1', md: '3.5' }}>
        <Flex align="center" columnGap="2.5" rowGap="1" wrap="wrap" minW="0">
          {/* On a phone a count of three digits stands beside it. */}
          <Heading as="h2" id="matches" size="lg" fontSize={{ base: 'lg', md: 'xl' }}>
            Matching Listings
          </Heading>
          <Badge tone={count > 0 ? 'brand' : 'quiet'}>{countText(count, left)}</Badge>
        </Flex>
        <Box flexShrink={0}>
          <MapToggle />
        </Box>
      </Flex>
      {count > 1 || !choice.isPlain ? (
        <Box mb={{ base: '2', md: '3.5' }}>
          <ListControls
            what="matches"
            choice={choice}
            choose={choice.choose}
            filters={matchFilters}
            file={csvAddress('/api/listings/export', choice, { alertId: alert.id })}
          />
        </Box>
      ) : null}
      {matches.arrived > 0 ? <ShowNew count={matches.arrived} onClick={() => void showArrived()} /> : null}
      <WithMap alert={alert} only={choice.only} newest={newest} isReady={page !== undefined || error !== undefined}>
        {page ? <AskedCar matches={nodes.slice(0, limit)} /> : null}
        {page ? (
          nodes.length > 0 ? (
            <Box
              ref={list}
              scrollMarginTop="6rem"
              aria-busy={matches.isOld}
              opacity={matches.isOld ? 0.55 : 1}
              transition="opacity 150ms 100ms"
            >
              <MatchList
                key={matches.listKey}
                page={{ ...page, nodes }}
                limit={limit}
                drawMore={drawMore}
                loadOlder={matches.loadOlder}
              />
            </Box>
          ) : choice.only.length > 0 ? (
            <EmptyState
              title="No match is left by these filters"
              action={
                <Button variant="outline" onClick={() => choice.choose({ only: [] })}>
                  Show all matches
                </Button>
              }
            />
          ) : (
            <EmptyState title="No matching listings yet">{emptyText(alert, site?.checkEverySeconds ?? 60)}</EmptyState>
          )
        ) : error ? (
          <ErrorPanel title="The matches could not be loaded" onRetry={matches.refetch}>
            {readFault(error).message}
          </ErrorPanel>
        ) : (
          <>
            <LoadingNote>Loading matches</LoadingNote>
            <ListingSkeletons />
          </>
        )}
      </WithMap>
    </Box>
  );
}

/** @param left how many the filters leave, or a text in its place; null where there are none */
function countText(count: number, left: number | string | null): string {
  const all = pluralMatches(count, 'match', 'matches');
  return left === null ? all : `${typeof left === 'number' ? matchCountText(left) : left} of ${all}`;
}

function emptyText(alert: { isActive: boolean; emailNotifications: boolean }, everySeconds: number): string {
  if (!alert.isActive) return 'This alert is off. Switch it on, and you will be notified when a car matches.';
  const how = alert.emailNotifications ? 'and will mail you' : 'and show it here at once';
  return `No cars yet. We check every ${everySeconds} seconds ${how}.`;
}

function AlertFailed({ error, retry }: { error: unknown; retry: () => Promise<unknown> }) {
  useDocumentTitle('Error loading alert details');
  const fault = error ? readFault(error) : undefined;
  const isMissing = !fault || fault.code === 'NOT_FOUND';
  return (
    <>
      <VisuallyHidden as="h1">Alert</VisuallyHidden>
      <ErrorPanel
        title="Error loading alert details"
        onRetry={isMissing ? undefined : retry}
        back={
          <LinkButton to="/my-alerts" variant="outline">
            Back to My Alerts
          </LinkButton>
        }
      >
        {isMissing ? 'Alert not found' : fault.message}
      </ErrorPanel>
    </>
  );
}
