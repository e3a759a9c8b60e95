import { useQuery } from '@apollo/client/react';
import { Flex } from '@chakra-ui/react';
import { useRef, useState } from 'react';
import { readFault } from '../../../lib/server/faults/errors.ts';
import { useFailure } from '../../../lib/server/faults/use-failure.ts';
import { announce } from '../../../lib/state/announce.ts';
import { useNow } from '../../../lib/state/now.ts';
import { plural } from '../../../lib/text/time.ts';
import { BusyButton, LinkButton } from '../../../ui/parts/Button.tsx';
import { Card, Heading, Muted } from '../../../ui/parts/Card.tsx';
import { RowList, SectionSkeleton } from '../../../ui/parts/sections/ListSection.tsx';
import { LoadOlder } from '../../../ui/parts/sections/LoadOlder.tsx';
import { EmptyState, ErrorPanel, LoadingNote } from '../../../ui/parts/states.tsx';
import { NotificationRow } from './NotificationRow.tsx';
import { type Entry, NotificationsDocument } from './notification-documents.ts';
import { byDay } from './notification-words.ts';
import { unreadUpTo, useMarkRead } from './use-mark-read.ts';

const none: readonly Entry[] = [];

/** What was sent, what waits and what was not sent, by day. @param timeZone the account's */
export function NotificationList({ timeZone }: { timeZone: string }) {
  const result = useQuery(NotificationsDocument, { fetchPolicy: 'cache-and-network' });
  const error = useFailure(result);
  const now = useNow(30_000);
  const page = result.data?.notificationLog;
  const markRead = useMarkRead(page?.nodes ?? none);
  const list = useRef<HTMLDivElement>(null);
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
    <Flex ref={list} direction="column" gap="5">
      <UnreadBar
        upTo={unreadUpTo(page.nodes)}
        count={page.nodes.filter(({ unread }) => unread).length}
        mark={async (upTo) => {
          await markRead(upTo);
          // The button is about to disappear.
          list.current?.querySelector('h2')?.focus();
          announce('All notifications are marked as read.');
          await result.refetch();
        }}
      />
      {byDay(page.nodes, now, timeZone).map(([day, entries]) => (
        <Card key={day} as="section" aria-label={day} pad="lg">
          <Heading tabIndex={-1} size="md" borderRadius="chip">
            {day}
          </Heading>
          <RowList mt="2">
            {entries.map((entry) => (
              <NotificationRow
                key={entry.id}
                entry={entry}
                now={now}
                timeZone={timeZone}
                onResent={() => result.refetch()}
              />
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

interface UnreadBarProps {
  /** null: everything is read. */
  upTo: string | null;
  count: number;
  mark: (upTo: string) => Promise<unknown>;
}

/** How many messages are new, until they are marked as read. */
function UnreadBar({ upTo, count, mark }: UnreadBarProps) {
  const [isMarking, setMarking] = useState(false);
  if (upTo === null) return null;
  const press = async () => {
    setMarking(true);
    await mark(upTo).catch(() => undefined);
    setMarking(false);
  };
  return (
    <Flex align="center" justify="space-between" gap="3" wrap="wrap">
      <Muted>{plural(count, 'new notification')}</Muted>
      <BusyButton variant="outline" size="sm" isBusy={isMarking} onClick={() => void press()}>
        Mark all as read
      </BusyButton>
    </Flex>
  );
}
