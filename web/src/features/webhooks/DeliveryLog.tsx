import { useQuery } from '@apollo/client/react';
import { Box, chakra, Flex } from '@chakra-ui/react';
import { RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { readFault } from '../../lib/server/faults/errors.ts';
import { useFailure } from '../../lib/server/faults/use-failure.ts';
import { useNow } from '../../lib/state/now.ts';
import { timeText } from '../../lib/text/time.ts';
import { BusyButton, Button } from '../../ui/parts/Button.tsx';
import { Badge, Heading, Muted } from '../../ui/parts/Card.tsx';
import { LoadingNote, Skeleton } from '../../ui/parts/states.tsx';
import { DeliveriesDocument, type Delivery } from './delivery-documents.ts';
import { inText, prettyJson, statusStyle, triesText } from './delivery-words.ts';
import { eventLabel } from './webhook-words.ts';

interface DeliveryLogProps {
  webhookId: string;
  isPaused: boolean;
  onReplay: (id: string) => Promise<unknown>;
}

const PAGE = 20;
const MAX_ROWS = 100;
/** How often it is refreshed while it is open. */
const REFRESH_MS = 5_000;

/** The latest deliveries of a webhook, newest first. */
export function DeliveryLog({ webhookId, isPaused, onReplay }: DeliveryLogProps) {
  const [first, setFirst] = useState(PAGE);
  const now = useNow(5_000);
  const result = useQuery(DeliveriesDocument, {
    variables: { id: webhookId, first },
    fetchPolicy: 'cache-and-network',
    pollInterval: REFRESH_MS,
    skipPollAttempt: () => document.hidden,
  });
  const error = useFailure(result);
  const page = (result.data ?? result.previousData)?.webhook.deliveries;
  if (!page && error) {
    return (
      <Flex role="alert" align="center" gap="3" wrap="wrap" mt="5">
        <Muted>The deliveries could not be loaded. {readFault(error).message}</Muted>
        <Button variant="outline" size="sm" onClick={() => void result.refetch().catch(() => undefined)}>
          Try Again
        </Button>
      </Flex>
    );
  }
  return (
    <Box mt="5">
      <Heading as="h4" size="sm">
        Deliveries
      </Heading>
      {page ? null : (
        <Box mt="3">
          <LoadingNote>Loading the deliveries</LoadingNote>
          <Skeleton h="10" mb="2" />
          <Skeleton h="10" />
        </Box>
      )}
      {page?.nodes.length === 0 ? (
        <Muted mt="2">Nothing was sent yet. Send a test event to check that your program receives it.</Muted>
      ) : null}
      <chakra.ul listStyleType="none" p="0" m="0" mt="1">
        {page?.nodes.map((delivery) => (
          <DeliveryRow key={delivery.id} delivery={delivery} now={now} isPaused={isPaused} onReplay={onReplay} />
        ))}
      </chakra.ul>
      {page?.hasMore && first < MAX_ROWS ? (
        <Button variant="ghost" size="sm" mt="2" disabled={result.loading} onClick={() => setFirst(first + PAGE)}>
          Show older deliveries
        </Button>
      ) : null}
      {page?.hasMore && first >= MAX_ROWS ? <Muted mt="2">Read older ones with the API.</Muted> : null}
    </Box>
  );
}

interface DeliveryRowProps {
  delivery: Delivery;
  now: Date;
  isPaused: boolean;
  onReplay: (id: string) => Promise<unknown>;
}

const Summary = chakra('summary', {
  base: {
    display: 'flex',
    alignItems: 'center',
    flexWrap: 'wrap',
    gap: '2.5',
    rowGap: '1',
    minH: '48px',
    py: '2',
    px: '2',
    mx: '-2',
    cursor: 'pointer',
    borderRadius: 'chip',
    _hover: { bg: 'sunk' },
    _before: { content: '"›"', color: 'muted', transition: 'transform 150ms', width: '10px', textAlign: 'center' },
    'details[open] > &': { _before: { transform: 'rotate(90deg)' } },
    '&::-webkit-details-marker': { display: 'none' },
  },
});

const Block = chakra('pre', {
  base: {
    mt: '1',
    p: '3',
    maxH: '320px',
    overflow: 'auto',
    bg: 'sunk',
    borderRadius: 'field',
    fontSize: '2xs',
    fontFamily: 'mono',
    whiteSpace: 'pre-wrap',
    overflowWrap: 'anywhere',
  },
});

/** One message and its outcome; opened, every attempt with its request and answer. */
function DeliveryRow({ delivery, now, isPaused, onReplay }: DeliveryRowProps) {
  const [isSending, setSending] = useState(false);
  const style = statusStyle(delivery);
  const name = eventLabel(delivery.type);
  const replay = async () => {
    setSending(true);
    await onReplay(delivery.id);
    setSending(false);
  };
  return (
    <chakra.li borderTopWidth="1px" borderColor="line" _first={{ borderTopWidth: '0' }}>
      <details>
        <Summary>
          <Badge tone={style.tone} minW="82px" justifyContent="center">
            {style.text}
          </Badge>
          <chakra.span fontWeight="600" fontSize="sm">
            {name}
          </chakra.span>
          <Muted as="span" fontSize="xs" ml={{ base: '5', md: 'auto' }}>
            {triesText(delivery)}
            {delivery.nextTryAt && delivery.attempts.length > 0 && !isPaused
              ? `, next ${inText(delivery.nextTryAt, now)}`
              : ''}
            {' · '}
            <time dateTime={delivery.createdAt}>{timeText(delivery.createdAt, now)}</time>
          </Muted>
        </Summary>
        <Box pb="4" pl={{ md: '5' }}>
          <Flex justify="space-between" align="center" gap="3" wrap="wrap">
            <chakra.code fontFamily="mono" fontSize="2xs" color="muted" overflowWrap="anywhere">
              {delivery.messageId}
            </chakra.code>
            <BusyButton
              variant="outline"
              size="sm"
              isBusy={isSending || delivery.status === 'sending'}
              aria-label={`Send again: ${name}, ${timeText(delivery.createdAt, now)}`}
              onClick={() => void replay()}
            >
              <RotateCcw size={14} aria-hidden />
              {isSending ? 'Sending...' : 'Send Again'}
            </BusyButton>
          </Flex>
          {delivery.attempts.length > 0 ? (
            <chakra.ol listStyleType="none" p="0" m="0" mt="3" display="grid" gap="2">
              {delivery.attempts.map((attempt) => (
                <Attempt key={`${attempt.at}${attempt.ms}`} attempt={attempt} now={now} />
              ))}
            </chakra.ol>
          ) : null}
          <Muted mt="4" fontSize="xs" fontWeight="600">
            Posted
          </Muted>
          <Block tabIndex={0} role="region" aria-label={`Body of ${name}`}>
            {prettyJson(delivery.body)}
          </Block>
        </Box>
      </details>
    </chakra.li>
  );
}

function Attempt({ attempt, now }: { attempt: Delivery['attempts'][number]; now: Date }) {
  return (
    <chakra.li fontSize="xs">
      <Flex gap="2.5" align="baseline" wrap="wrap">
        <chakra.span fontWeight="650" color={attempt.error ? 'bad' : 'good'}>
          {attempt.statusCode ?? 'No answer'}
        </chakra.span>
        <chakra.span color="muted">
          {timeText(attempt.at, now)} · {attempt.ms.toLocaleString('en-US')} ms
        </chakra.span>
        {attempt.error ? <span>{attempt.error}</span> : null}
      </Flex>
      {attempt.answer ? (
        <chakra.code
          display="block"
          mt="1"
          color="muted"
          fontFamily="mono"
          fontSize="2xs"
          overflowWrap="anywhere"
          lineClamp={3}
        >
          {attempt.answer}
        </chakra.code>
      ) : null}
    </chakra.li>
  );
}
