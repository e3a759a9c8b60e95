import { chakra } from '@chakra-ui/react';
import { dateText } from '../../../lib/text/time.ts';
import { Card } from '../../../ui/parts/Card.tsx';
import { VisuallyHidden } from '../../../ui/parts/VisuallyHidden.tsx';
import type { DeletionRequest } from './deletion-words.ts';
import { Reason, RequestActions, Requester, type RequestHandlers, StatusBadge } from './RequestParts.tsx';

const Head = chakra('th', {
  base: {
    textAlign: 'left',
    fontSize: 'xs',
    fontWeight: '600',
    color: 'muted',
    px: '3.5',
    py: '3',
    whiteSpace: 'nowrap',
  },
});
const Cell = chakra('td', {
  base: { px: '3.5', py: '3', verticalAlign: 'middle', borderTopWidth: '1px', borderColor: 'line' },
});

/** Deletion requests, a row each. */
export function RequestTable({ requests, ...handlers }: RequestHandlers & { requests: readonly DeletionRequest[] }) {
  return (
    <Card pad="none" overflowX="auto" tabIndex={0} role="region" aria-label="Deletion requests">
      <chakra.table w="full" fontSize="sm" borderCollapse="collapse">
        <VisuallyHidden as="caption">Deletion requests</VisuallyHidden>
        <thead>
          <tr>
            <Head scope="col">Request ID</Head>
            <Head scope="col">User</Head>
            <Head scope="col">Reason</Head>
            <Head scope="col">Status</Head>
            <Head scope="col">Created</Head>
            <Head scope="col">Actions</Head>
          </tr>
        </thead>
        <tbody>
          {requests.map((request) => (
            <tr key={request.id}>
              <Cell fontWeight="600" whiteSpace="nowrap">
                {request.requestId}
              </Cell>
              <Cell maxW="180px">
                <Requester request={request} />
              </Cell>
              <Cell maxW="260px">
                <Reason request={request} />
              </Cell>
              <Cell>
                <StatusBadge request={request} />
              </Cell>
              <Cell whiteSpace="nowrap">{dateText(request.createdAt)}</Cell>
              <Cell>
                <RequestActions request={request} {...handlers} />
              </Cell>
            </tr>
          ))}
        </tbody>
      </chakra.table>
    </Card>
  );
}
