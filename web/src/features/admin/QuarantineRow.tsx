import { Box, chakra, Flex } from '@chakra-ui/react';
import type { QuarantinedRecord_RecordFragment } from '../../gql/graphql.ts';
import { freshness, plural } from '../../lib/text/time.ts';
import { Button } from '../../ui/parts/Button.tsx';
import { Card, Chip, Heading, Muted } from '../../ui/parts/Card.tsx';
import { prettyRecord } from './retry-words.ts';
import { codeText } from './source-words.ts';

const Summary = chakra('summary', {
  base: {
    w: 'fit-content',
    // Its triangle says whether it is open: no flex, which would hide it.
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

function whyNot({ whole }: { whole: boolean }): string {
  return whole
    ? 'Its id appeared more than once. Only the next read of its source can tell which record is right.'
    : 'It is larger than 64 KB: only its beginning is kept, so it can’t be tried again.';
}

/** One record that was set aside: why, when, what came in, and what can be done about it. */
export function QuarantineRow({ record, now, busy, onRetry, onDismiss }: QuarantineRowProps) {
  const name = record.externalId ?? `Record ${record.id}`;
  const seen = [
    record.times > 1 ? `Came in ${plural(record.times, 'time')}, last` : 'Came in',
    freshness(record.lastSeenAt, now),
    record.retriedAt ? `· tried again ${freshness(record.retriedAt, now)}` : '',
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
          {whyNot(record)}
        </Muted>
      )}
      <chakra.details mt="1">
        <Summary>{record.whole ? 'Show the record' : 'Show its beginning'}</Summary>
        <chakra.pre
          // What scrolls must be reachable without a mouse.
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
