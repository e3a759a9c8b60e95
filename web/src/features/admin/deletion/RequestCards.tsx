import { Box, Flex } from '@chakra-ui/react';
import { dateText } from '../../../lib/text/time.ts';
import { Card, Heading, Muted } from '../../../ui/parts/Card.tsx';
import type { DeletionRequest } from './deletion-words.ts';
import { Reason, RequestActions, Requester, type RequestHandlers, StatusBadge } from './RequestParts.tsx';

/** Deletion requests on a phone, a card each. */
export function RequestCards({ requests, ...handlers }: RequestHandlers & { requests: readonly DeletionRequest[] }) {
  return (
    <Flex as="ul" aria-label="Deletion requests" direction="column" gap="3.5" m="0" p="0">
      {requests.map((request) => (
        <Card as="li" key={request.id} listStyleType="none">
          <Flex justify="space-between" align="center" gap="3">
            <Heading as="h3" size="sm">
              {request.requestId}
            </Heading>
            <StatusBadge request={request} />
          </Flex>
          <Box mt="2" fontSize="sm">
            <Requester request={request} />
          </Box>
          <Box mt="1" fontSize="sm">
            <Reason request={request} />
          </Box>
          <Muted mt="1" mb="3">
            {dateText(request.createdAt)}
          </Muted>
          <RequestActions request={request} {...handlers} />
        </Card>
      ))}
    </Flex>
  );
}
