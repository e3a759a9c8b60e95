import { Box, chakra, Flex } from '@chakra-ui/react';
import type { MyDeletionRequest_RequestFragment } from '../../gql/graphql.ts';
import { deletionStatusText, deletionStatusTone } from '../../lib/text/deletion-status.ts';
import { dateText } from '../../lib/text/time.ts';
import { Badge, Card, Heading, Muted } from '../../ui/parts/Card.tsx';

const meaning = {
  pending: 'We received your request and process it within 30 days. Until then you can use your account as before.',
  approved: 'Your request is approved. Your account and all its data will be erased soon.',
  rejected: 'Your request was rejected, so your data stays. You can ask again below.',
  completed: 'Your data is erased.',
} as const;

/** Takes the focus when a request was made. */
export const REQUEST_HEADING = 'deletion-request';

/** The state of one's own deletion request. */
export function DeletionRequestCard({ request }: { request: MyDeletionRequest_RequestFragment }) {
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
