import { useQuery } from '@apollo/client/react';
import { Box, chakra, Flex } from '@chakra-ui/react';
import { useEffect, useRef } from 'react';
import type { MyDeletionRequest_RequestFragment } from '../../gql/graphql.ts';
import { readFault } from '../../lib/server/faults/errors.ts';
import { useFailure } from '../../lib/server/faults/use-failure.ts';
import { deletionStatusText, deletionStatusTone } from '../../lib/text/deletion-status.ts';
import { dateText } from '../../lib/text/time.ts';
import { Badge, Card, Heading, Muted } from '../../ui/parts/Card.tsx';
import { ErrorPanel, LoadingNote, Skeleton } from '../../ui/parts/states.tsx';
import { DeletionForm } from './DeletionForm.tsx';
import { MyDeletionRequestsDocument } from './rights-documents.ts';

/** A form before the request; then the state of the request, with the form again if it was rejected. */
export function RequestDeletion() {
  const result = useQuery(MyDeletionRequestsDocument);
  const requests = result.data?.myDeletionRequests;
  const error = useFailure(result);
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
      <ErrorPanel title="Your requests could not be loaded" onRetry={() => result.refetch()}>
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
    // As high as the form, so that the content that replaces it does not move the footer up.
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

const meaning = {
  pending:
    'We received your request and will process it within 30 days. Until then, you can use your account as before.',
  approved: 'Your request is approved. Your account and all its data will be erased soon.',
  rejected: 'Your request was rejected, so your data stays. You can ask again below.',
  completed: 'Your data is erased.',
} as const;

/** Takes the focus when a request was made. */
const REQUEST_HEADING = 'deletion-request';

/** The state of the user's deletion request. */
function DeletionRequestCard({ request }: { request: MyDeletionRequest_RequestFragment }) {
  const { requestId, status, notes, createdAt } = request;
  return (
    <Card pad="lg" as="section" aria-labelledby={REQUEST_HEADING}>
      <Flex justify="space-between" align="center" gap="3" wrap="wrap">
        <Heading id={REQUEST_HEADING} tabIndex={-1} as="h2" size="md" borderRadius="chip">
          Your deletion request
        </Heading>
        <Badge tone={deletionStatusTone(status)}>{deletionStatusText(status)}</Badge>
      </Flex>
      <Flex as="dl" mt="4" gap={{ base: '4', md: '8' }} wrap="wrap">
        <Box>
          <chakra.dt fontSize="xs" color="muted">
            Request ID
          </chakra.dt>
          <chakra.dd m="0" fontSize="lg" fontWeight="650" fontFamily="heading" letterSpacing="0.02em">
            {requestId}
          </chakra.dd>
        </Box>
        <Box>
          <chakra.dt fontSize="xs" color="muted">
            Submitted
          </chakra.dt>
          <chakra.dd m="0" fontSize="lg" fontWeight="650" fontFamily="heading">
            {dateText(createdAt)}
          </chakra.dd>
        </Box>
      </Flex>
      <Muted mt="4">{meaning[status]}</Muted>
      {notes ? (
        <Box mt="4" p="4" borderRadius="field" bg="sunk" fontSize="sm">
          <chakra.h3 fontWeight="650">A note on your request</chakra.h3>
          <chakra.p mt="1" whiteSpace="pre-wrap" overflowWrap="anywhere">
            {notes}
          </chakra.p>
        </Box>
      ) : null}
    </Card>
  );
}
