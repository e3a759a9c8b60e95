import { useQuery } from '@apollo/client/react';
import { Box, chakra, Flex } from '@chakra-ui/react';
import { BellRing, Clock, type LucideIcon, Mail, MessageSquare } from 'lucide-react';
import { graphql } from '../../../gql/gql.ts';
import type { NotificationsQuery } from '../../../gql/graphql.ts';
import { useCatalogue, vehicleLabel } from '../../../lib/server/catalogue.ts';
import { readFault } from '../../../lib/server/faults/errors.ts';
import { useFailure } from '../../../lib/server/faults/use-failure.ts';
import { useNow } from '../../../lib/state/now.ts';
import { LinkButton, TextLink } from '../../../ui/parts/Button.tsx';
import { Badge, Card, Heading, Muted } from '../../../ui/parts/Card.tsx';
import { IconTile } from '../../../ui/parts/IconTile.tsx';
import { ListRow, RowList, SectionSkeleton } from '../../../ui/parts/sections/ListSection.tsx';
import { LoadOlder } from '../../../ui/parts/sections/LoadOlder.tsx';
import { EmptyState, ErrorPanel, LoadingNote } from '../../../ui/parts/states.tsx';
import { byDay, carsText, titleOf, whatHappened } from './notification-words.ts';

const NotificationsDocument = graphql(`
  query Notifications($after: String) {
    notificationLog(first: 50, after: $after) {
      nodes {
        id
        kind
        channel
        status
        reason
        listingCount
        createdAt
        dueAt
        sentAt
        deliveredAt
        alert {
          id
          make
          model
        }
        listings {
          id
          title
        }
      }
      endCursor
      hasMore
    }
  }
`);

const icons: Readonly<Record<string, LucideIcon>> = { sms: MessageSquare, push: BellRing };

type Entry = NotificationsQuery['notificationLog']['nodes'][number];

/** What was sent, what waits and what was not sent, by day. @param timeZone the account's */
export function NotificationList({ timeZone }: { timeZone: string }) {
  const result = useQuery(NotificationsDocument, { fetchPolicy: 'cache-and-network' });
  const error = useFailure(result);
  const now = useNow(30_000);
  const page = result.data?.notificationLog;
  if (!page && error) {
    return (
      <ErrorPanel title="Your notifications could not be loaded" onRetry={() => result.refetch()}>
        {readFault(error).message}
      </ErrorPanel>
    );
  }
  if (!page) {
    return (
      <>
        <LoadingNote>Loading your notifications</LoadingNote>
        <SectionSkeleton rows={4} />
      </>
    );
  }
  if (page.nodes.length === 0) {
    return (
      <EmptyState title="No Notifications Yet" level="h2" action={<LinkButton to="/my-alerts">My Alerts</LinkButton>}>
        When a car fits one of your alerts, the message appears here, and what waits with the reason.
      </EmptyState>
    );
  }
  return (
    <Flex direction="column" gap="5">
      {byDay(page.nodes, now, timeZone).map(([day, entries]) => (
        <Card key={day} as="section" aria-label={day} pad="lg">
          <Heading size="md">{day}</Heading>
          <RowList mt="2">
            {entries.map((entry) => (
              <Row key={entry.id} entry={entry} now={now} timeZone={timeZone} />
            ))}
          </RowList>
        </Card>
      ))}
      {page.hasMore ? (
        <LoadOlder
          what="notifications"
          load={() => result.fetchMore({ variables: { after: page.endCursor ?? null } })}
        />
      ) : null}
    </Flex>
  );
}

function Row({ entry, now, timeZone }: { entry: Entry; now: Date; timeZone: string }) {
  const Icon = entry.status === 'waiting' ? Clock : (icons[entry.channel] ?? Mail);
  const isBad = entry.status === 'failed' || entry.status === 'unknown';
  const cars = carsText(
    entry.listings.map(({ title }) => title),
    entry.listingCount,
  );
  return (
    <ListRow>
      <Flex gap="4" align="flex-start">
        <IconTile>
          <Icon size={20} aria-hidden />
        </IconTile>
        <Box minW="0" flex="1">
          <Flex columnGap="2.5" rowGap="1" align="center" wrap="wrap">
            <Heading as="h3" size="sm">
              {titleOf(entry)}
            </Heading>
            {isBad ? <Badge tone="bad">{entry.status === 'failed' ? 'Failed' : 'Unknown'}</Badge> : null}
            {entry.status === 'sent' && entry.reason ? <Badge tone="bad">Not delivered</Badge> : null}
            {entry.status === 'dropped' ? <Badge tone="quiet">Not sent</Badge> : null}
          </Flex>
          <chakra.p fontSize="sm" mt="1">
            {whatHappened(entry, now, timeZone)}
          </chakra.p>
          {cars ? (
            <Muted mt="1" overflowWrap="anywhere">
              {cars}
            </Muted>
          ) : null}
          <AlertLink entry={entry} />
        </Box>
      </Flex>
    </ListRow>
  );
}

function AlertLink({ entry: { alert } }: { entry: Entry }) {
  const catalogue = useCatalogue();
  if (!alert) return <Muted mt="1">Its alert was deleted.</Muted>;
  return (
    <Box fontSize="sm" mt="1">
      <TextLink to={`/alert/${alert.id}`}>Alert for {vehicleLabel(catalogue, alert.make, alert.model)}</TextLink>
    </Box>
  );
}
