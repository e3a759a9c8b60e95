import { useQuery } from '@apollo/client/react';
import { Box, chakra, Flex } from '@chakra-ui/react';
import { CircleAlert, CircleCheck, Clock } from 'lucide-react';
import type { ReactNode } from 'react';
import { readFault } from '../../lib/server/faults/errors.ts';
import { useFailure } from '../../lib/server/faults/use-failure.ts';
import { useNow } from '../../lib/state/now.ts';
import { timeAgo } from '../../lib/text/time.ts';
import { Card, Heading, Muted } from '../../ui/parts/Card.tsx';
import { SectionSkeleton } from '../../ui/parts/sections/ListSection.tsx';
import { ErrorPanel, LoadingNote, Skeleton } from '../../ui/parts/states.tsx';
import { ChannelTable, SourceTable } from './StatusTables.tsx';
import { type Status, StatusDocument } from './status-document.ts';
import { subjectName, summaryOf } from './status-words.ts';

/** How often the figures are read again while the page is visible; the server keeps them for 10 seconds. */
const REFRESH_MS = 15_000;

/** The status as a whole, what does not work, and the figures of sources and channels. */
export function StatusView() {
  const now = useNow(1000);
  const result = useQuery(StatusDocument, {
    fetchPolicy: 'cache-and-network',
    pollInterval: REFRESH_MS,
    skipPollAttempt: () => document.hidden,
  });
  const error = useFailure(result);
  const status = (result.data ?? result.previousData)?.status;
  if (!status && error) {
    return (
      <ErrorPanel title="The status could not be loaded" onRetry={() => result.refetch()}>
        {readFault(error).message}
      </ErrorPanel>
    );
  }
  if (!status) return <StatusLoading />;
  return (
    <Flex direction="column" gap="5">
      <SummaryCard status={status} now={now} isStale={result.error !== undefined} />
      <Section
        id="sources"
        title="Sources"
        about="How long a car is listed before we see it: the new listings of the last 24 hours."
      >
        <SourceTable sources={status.sources} now={now} />
      </Section>
      <Section
        id="messages"
        title="Messages"
        about="How long a match takes from our first sight of the car until its message is with the provider that delivers it. What waited for quiet hours, a digest, a snooze or a pause is left out."
      >
        <ChannelTable channels={status.channels} />
      </Section>
      <Muted fontSize="xs">
        Programs read the same figures at{' '}
        <chakra.a href="/api/status" color="brand" fontWeight="600" _hover={{ textDecoration: 'underline' }}>
          /api/status
        </chakra.a>
        .
      </Muted>
    </Flex>
  );
}

const looks = {
  good: { Icon: CircleCheck, color: 'good' },
  late: { Icon: Clock, color: 'muted' },
  bad: { Icon: CircleAlert, color: 'bad' },
} as const;

function SummaryCard({ status, now, isStale }: { status: Status; now: Date; isStale: boolean }) {
  const { title, text, tone } = summaryOf(status);
  const { Icon, color } = looks[tone];
  return (
    <Card as="section" aria-labelledby="summary" pad="lg" edge={tone === 'bad' ? 'bad' : 'line'}>
      <Flex gap={{ base: '3', md: '4' }} align="flex-start">
        <Box color={color} flexShrink={0} pt="0.5">
          <Icon size={26} aria-hidden />
        </Box>
        <Box minW="0" flex="1">
          <Box role="status">
            <Heading id="summary" size="lg">
              {title}
            </Heading>
            <Muted mt="1">{text}</Muted>
          </Box>
          {status.incidents.length > 0 ? (
            <chakra.ul listStyleType="none" p="0" m="0" mt="4" aria-label="Open problems">
              {status.incidents.map(({ subject, message, since }) => (
                <chakra.li key={`${subject}${since}`} py="3" borderTopWidth="1px" borderColor="line">
                  <chakra.p fontWeight="600" overflowWrap="anywhere">
                    {subjectName(subject)}
                  </chakra.p>
                  <Muted mt="0.5">
                    {message} It began{' '}
                    <chakra.time dateTime={since} whiteSpace="nowrap">
                      {timeAgo(since, now)}
                    </chakra.time>
                    .
                  </Muted>
                </chakra.li>
              ))}
            </chakra.ul>
          ) : null}
          <Muted mt="3" fontSize="xs" fontVariantNumeric="tabular-nums">
            Checked <time dateTime={status.checkedAt}>{timeAgo(status.checkedAt, now)}</time>.
            {isStale ? ' The newest figures could not be loaded. We try again every 15 seconds.' : ''}
          </Muted>
        </Box>
      </Flex>
    </Card>
  );
}

interface SectionProps {
  id: string;
  title: string;
  about: string;
  children: ReactNode;
}

function Section({ id, title, about, children }: SectionProps) {
  return (
    <Card as="section" aria-labelledby={id} pad="lg">
      <Heading id={id} size="md">
        {title}
      </Heading>
      <Muted mt="1" maxW="64ch">
        {about}
      </Muted>
      <Box mt="3">{children}</Box>
    </Card>
  );
}

function StatusLoading() {
  return (
    <Flex direction="column" gap="5">
      <LoadingNote>Loading the status</LoadingNote>
      <Card pad="lg" aria-hidden animation="appear 1ms 150ms both">
        <Skeleton h="6" w="190px" />
        <Skeleton h="4" w="min(340px, 90%)" mt="3" />
        <Skeleton h="3" w="120px" mt="4" />
      </Card>
      <SectionSkeleton rows={2} />
      <SectionSkeleton rows={4} />
    </Flex>
  );
}
