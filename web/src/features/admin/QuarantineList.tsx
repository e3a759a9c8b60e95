import { useApolloClient } from '@apollo/client/react';
import { Box, chakra, Flex } from '@chakra-ui/react';
import { useRef, useState } from 'react';
import type { QuarantinedRecord_RecordFragment, QuarantineQuery } from '../../gql/graphql.ts';
import { readFault } from '../../lib/server/faults/errors.ts';
import { useNow } from '../../lib/state/now.ts';
import { toast } from '../../lib/state/toasts.ts';
import { plural, timeAgo } from '../../lib/text/time.ts';
import { Button } from '../../ui/parts/Button.tsx';
import { Card, Chip, Heading, Muted } from '../../ui/parts/Card.tsx';
import { LoadOlder } from '../../ui/parts/sections/LoadOlder.tsx';
import { EmptyState } from '../../ui/parts/states.tsx';
import { AdminCountsDocument } from './admin-counts.ts';
import { addRetried, codeText, prettyRecord, type Retried, retriedText } from './admin-words.ts';
import type { QuarantineChoice } from './QuarantineFilter.tsx';
import {
  DismissQuarantinedDocument,
  QuarantineDocument,
  RetryQuarantinedDocument,
  SourceHealthDocument,
} from './quarantine-documents.ts';

interface QuarantineListProps {
  page: QuarantineQuery['quarantine'];
  choice: QuarantineChoice;
  loadOlder: () => Promise<unknown>;
}

/** Quarantined records, newest first, with a retry for one record or for all that the filter shows. */
export function QuarantineList({ page, choice, loadOlder }: QuarantineListProps) {
  const now = useNow(30_000);
  const title = useRef<HTMLHeadingElement>(null);
  const { tried, retry, dismiss } = useQuarantineActions(choice, () => {
    // The row whose button had the focus is gone, so the top of the list takes it.
    if (document.activeElement === document.body) title.current?.focus();
  });
  const filter = { source: choice.source || undefined, code: choice.code || undefined };
  const busy = tried !== null;
  return (
    <Flex direction="column" gap="3.5">
      <Flex justify="space-between" align="center" gap="3" wrap="wrap" minH="11">
        <Heading ref={title} tabIndex={-1} size="md" borderRadius="chip">
          {page.total === 0 ? 'No records' : plural(page.total, 'record')}
        </Heading>
        {page.retryable > 0 ? (
          <Button disabled={busy} onClick={() => void retry(filter)}>
            {busy && tried > 0 ? `Retrying… ${tried.toLocaleString('en-US')}` : retryAllText(page.retryable, choice)}
          </Button>
        ) : null}
      </Flex>
      {page.nodes.length === 0 ? (
        <EmptyState title="Nothing in quarantine">
          {filter.source || filter.code
            ? 'No record matches this filter.'
            : 'Every record of every source could be read.'}
        </EmptyState>
      ) : (
        <chakra.ul aria-label="Quarantine" display="flex" flexDirection="column" gap="2.5" p="0">
          {page.nodes.map((record) => (
            <QuarantineRow
              key={record.id}
              record={record}
              now={now}
              busy={busy}
              onRetry={() => void retry({ ids: [record.id] })}
              onDismiss={() => void dismiss(record.id)}
            />
          ))}
        </chakra.ul>
      )}
      {page.hasMore ? <LoadOlder what="records" load={loadOlder} /> : null}
    </Flex>
  );
}

function retryAllText(retryable: number, choice: QuarantineChoice): string {
  const which = choice.source || choice.code ? 'of these' : '';
  return `Try ${['all', retryable.toLocaleString('en-US'), which].filter(Boolean).join(' ')} again`;
}

interface RetryFilter {
  ids?: string[];
  source?: string | undefined;
  code?: string | undefined;
}

const nothing: Retried = { tried: 0, accepted: 0, updated: 0, unchanged: 0, newer: 0, rejected: 0 };

/** Retries and dismisses records, each with a toast; afterwards the lists on screen, of `shown`, are fetched again. */
function useQuarantineActions(shown: QuarantineChoice, onDone: () => void) {
  const client = useApolloClient();
  /** The progress of a long retry; null while none is running. */
  const [tried, setTried] = useState<number | null>(null);

  const run = async (done: string, failed: string, work: () => Promise<string>) => {
    setTried(0);
    try {
      toast(done, await work());
    } catch (error) {
      toast(failed, readFault(error).message, 'destructive');
    }
    // A record is in several lists: those that aren't on screen are fetched when they are shown.
    const kept = `quarantine:${JSON.stringify({ source: shown.source || null, code: shown.code || null })}`;
    client.cache.modify({
      fields: { quarantine: (page, { storeFieldName, DELETE }) => (storeFieldName === kept ? page : DELETE) },
    });
    await client
      .refetchQueries({ include: [QuarantineDocument, SourceHealthDocument, AdminCountsDocument] })
      .catch(() => undefined);
    setTried(null);
    onDone();
  };

  const retrySome = async (filter: RetryFilter, after: string | null) => {
    const { data } = await client.mutate({ mutation: RetryQuarantinedDocument, variables: { ...filter, after } });
    return data?.retryQuarantined ?? { ...nothing, endCursor: null };
  };
  const retryAll = async (filter: RetryFilter) => {
    let sum = nothing;
    for (let after: string | null = null; ; ) {
      const { endCursor = null, ...retried } = await retrySome(filter, after);
      sum = addRetried(sum, retried);
      setTried(sum.tried);
      if (endCursor === null) return retriedText(sum);
      after = endCursor;
    }
  };

  return {
    tried,
    retry: (filter: RetryFilter) => run('Retry complete', 'Retry failed', () => retryAll(filter)),
    dismiss: (id: string) =>
      run('Record dismissed', 'The record was not dismissed', async () => {
        await client.mutate({ mutation: DismissQuarantinedDocument, variables: { ids: [id] } });
        return 'The record was removed from quarantine.';
      }),
  };
}

const Summary = chakra('summary', {
  base: {
    w: 'fit-content',
    // `display: flex` would hide the triangle that shows whether it is open.
    lineHeight: { base: '44px', md: '32px' },
    color: 'brand',
    fontSize: 'sm',
    fontWeight: '600',
    cursor: 'pointer',
    borderRadius: 'chip',
    _hover: { textDecoration: 'underline' },
  },
});

interface QuarantineRowProps {
  record: QuarantinedRecord_RecordFragment;
  now: Date;
  busy: boolean;
  onRetry: () => void;
  onDismiss: () => void;
}

function notRetryableText({ whole }: { whole: boolean }): string {
  return whole
    ? 'Its ID appeared more than once. Only the next read of its source can show which record is correct.'
    : 'It is larger than 64 KB, so only its beginning is kept, and it can’t be retried.';
}

/** One quarantined record: why, when, its content and the actions for it. */
function QuarantineRow({ record, now, busy, onRetry, onDismiss }: QuarantineRowProps) {
  const name = record.externalId ?? `Record ${record.id}`;
  const seen = [
    record.times > 1 ? `Received ${plural(record.times, 'time')}, last` : 'Received',
    timeAgo(record.lastSeenAt, now),
    record.retriedAt ? `· retried ${timeAgo(record.retriedAt, now)}` : '',
  ];
  return (
    <Card as="li" listStyleType="none" pad="sm">
      <Flex justify="space-between" align="flex-start" gap="3" wrap="wrap">
        <Box minW="0" flex="1 1 280px">
          <Flex align="center" gap="2" wrap="wrap">
            <Heading as="h3" size="sm" overflowWrap="anywhere">
              {name}
            </Heading>
            <Chip tone="quiet">{codeText(record.code)}</Chip>
          </Flex>
          <Box fontSize="sm" mt="1" overflowWrap="anywhere">
            {record.reason}
          </Box>
          <Muted fontSize="xs" mt="1">
            {record.source} · {seen.filter(Boolean).join(' ')}
          </Muted>
        </Box>
        <Flex gap="2">
          {record.retryable ? (
            <Button variant="outline" size="sm" disabled={busy} aria-label={`Try again: ${name}`} onClick={onRetry}>
              Try again
            </Button>
          ) : null}
          <Button variant="ghost" size="sm" disabled={busy} aria-label={`Dismiss: ${name}`} onClick={onDismiss}>
            Dismiss
          </Button>
        </Flex>
      </Flex>
      {record.retryable ? null : (
        <Muted fontSize="xs" mt="2">
          {notRetryableText(record)}
        </Muted>
      )}
      <chakra.details mt="1">
        <Summary>{record.whole ? 'Show the record' : 'Show its beginning'}</Summary>
        <chakra.pre
          // A scrollable element must be reachable by keyboard.
          tabIndex={0}
          aria-label={`Record of ${name}`}
          mt="1"
          p="3"
          maxH="360px"
          overflow="auto"
          bg="sunk"
          borderRadius="field"
          fontSize="xs"
          whiteSpace="pre-wrap"
          overflowWrap="anywhere"
        >
          {prettyRecord(record.record)}
        </chakra.pre>
      </chakra.details>
    </Card>
  );
}
