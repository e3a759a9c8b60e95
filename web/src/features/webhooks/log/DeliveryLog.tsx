import { useQuery } from '@apollo/client/react';
import { Box, chakra, Flex } from '@chakra-ui/react';
import { useState } from 'react';
import { readFault } from '../../../lib/server/faults/errors.ts';
import { useFailure } from '../../../lib/server/faults/use-failure.ts';
import { useNow } from '../../../lib/state/now.ts';
import { Button } from '../../../ui/parts/Button.tsx';
import { Heading, Muted } from '../../../ui/parts/Card.tsx';
import { LoadingNote, Skeleton } from '../../../ui/parts/states.tsx';
import { DeliveryRow } from './DeliveryRow.tsx';
import { DeliveriesDocument } from './delivery-documents.ts';

interface DeliveryLogProps {
  webhookId: string;
  isPaused: boolean;
  onReplay: (id: string) => Promise<unknown>;
}

const PAGE = 20;
const MOST = 100;
/** While it is open it shows what happens. */
const LOOK_AGAIN_MS = 5_000;

/** The latest deliveries of a webhook, newest first. */
export function DeliveryLog({ webhookId, isPaused, onReplay }: DeliveryLogProps) {
  const [first, setFirst] = useState(PAGE);
  const now = useNow(5_000);
  const asked = useQuery(DeliveriesDocument, {
    variables: { id: webhookId, first },
    fetchPolicy: 'cache-and-network',
    pollInterval: LOOK_AGAIN_MS,
    skipPollAttempt: () => document.hidden,
  });
  const error = useFailure(asked);
  const page = (asked.data ?? asked.previousData)?.webhook.deliveries;
  if (!page && error) {
    return (
      <Flex role="alert" align="center" gap="3" wrap="wrap" mt="5">
        <Muted>The deliveries could not be loaded. {readFault(error).message}</Muted>
        <Button variant="outline" size="sm" onClick={() => void asked.refetch().catch(() => undefined)}>
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
        <Muted mt="2">Nothing was sent yet. A test event shows at once whether your program is reached.</Muted>
      ) : null}
      <chakra.ul listStyleType="none" p="0" m="0" mt="1">
        {page?.nodes.map((delivery) => (
          <DeliveryRow key={delivery.id} delivery={delivery} now={now} isPaused={isPaused} onReplay={onReplay} />
        ))}
      </chakra.ul>
      {page?.hasMore && first < MOST ? (
        <Button variant="ghost" size="sm" mt="2" disabled={asked.loading} onClick={() => setFirst(first + PAGE)}>
          Show older deliveries
        </Button>
      ) : null}
      {page?.hasMore && first >= MOST ? <Muted mt="2">Older ones can be read with the API.</Muted> : null}
    </Box>
  );
}
