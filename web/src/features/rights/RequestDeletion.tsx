import { useQuery } from '@apollo/client/react';
import { Flex } from '@chakra-ui/react';
import { useEffect, useRef } from 'react';
import { readFault } from '../../lib/server/faults/errors.ts';
import { useFailure } from '../../lib/server/faults/use-failure.ts';
import { Card } from '../../ui/parts/Card.tsx';
import { ErrorPanel, LoadingNote, Skeleton } from '../../ui/parts/states.tsx';
import { DeletionForm } from './DeletionForm.tsx';
import { DeletionRequestCard, REQUEST_HEADING } from './DeletionRequestCard.tsx';
import { MyDeletionRequestsDocument } from './rights-documents.ts';

/** A form before the request; then the state of the request, with the form again if it was rejected. */
export function RequestDeletion() {
  const asked = useQuery(MyDeletionRequestsDocument);
  const requests = asked.data?.myDeletionRequests;
  const error = useFailure(asked);
  const latestId = requests?.[0]?.id;
  const isMade = useRef(false);
  useEffect(() => {
    if (!isMade.current || latestId === undefined) return;
    isMade.current = false;
    // The button that had the focus is gone with the form.
    document.getElementById(REQUEST_HEADING)?.focus();
  }, [latestId]);
  if (error) {
    return (
      <ErrorPanel title="Your requests could not be loaded" onRetry={() => asked.refetch()}>
        {readFault(error).message}
      </ErrorPanel>
    );
  }
  if (!requests) {
    return (
      <Card pad="lg" animation="appear 1ms 150ms both">
        <LoadingNote>Loading your requests</LoadingNote>
        <Skeleton h="6" w="45%" />
        <Skeleton h="10" w="full" mt="3" />
        <Skeleton h="32" w="full" mt="6" />
        <Skeleton h="11" w="160px" mt="6" />
      </Card>
    );
  }
  const [latest] = requests;
  const isOpen = latest?.status === 'pending' || latest?.status === 'approved';
  return (
    // As high as the form: what takes its place after the progress must not pull the footer up.
    <Flex direction="column" gap="4" minH={{ base: '520px', md: '470px' }}>
      {latest ? <DeletionRequestCard request={latest} /> : null}
      {isOpen ? null : (
        <DeletionForm
          onMade={() => {
            isMade.current = true;
          }}
        />
      )}
    </Flex>
  );
}
