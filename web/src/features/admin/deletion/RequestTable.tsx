import { Box, chakra, Flex } from '@chakra-ui/react';
import { deletionStatusText, deletionStatusTone } from '../../../lib/text/deletion-status.ts';
import { dateText } from '../../../lib/text/time.ts';
import { Button } from '../../../ui/parts/Button.tsx';
import { Badge, Card, Heading, Muted } from '../../../ui/parts/Card.tsx';
import { VisuallyHidden } from '../../../ui/parts/VisuallyHidden.tsx';
import { type DeletionRequest, isClosed, reasonPreview } from './deletion-words.ts';

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

interface RequestHandlers {
  onUpdate: (request: DeletionRequest) => void;
  onExecute: (request: DeletionRequest) => void;
}

function StatusBadge({ request: { status } }: { request: DeletionRequest }) {
  return <Badge tone={deletionStatusTone(status)}>{deletionStatusText(status)}</Badge>;
}

/** Who asks, with their number; an erased account has only that. */
function Requester({ request: { username, userId } }: { request: DeletionRequest }) {
  if (username == null) return <chakra.span color="muted">deleted user {userId}</chakra.span>;
  return (
    <>
      <chakra.span fontWeight="600" overflowWrap="anywhere">
        {username}
      </chakra.span>{' '}
      <chakra.span color="muted">({userId})</chakra.span>
    </>
  );
}

function Reason({ request: { reason } }: { request: DeletionRequest }) {
  if (reason == null) return <chakra.span color="muted">erased</chakra.span>;
  return (
    <chakra.span title={reason} overflowWrap="anywhere">
      {reasonPreview(reason)}
    </chakra.span>
  );
}

/** Update for open requests, Execute for approved ones; closed ones can be read. */
function RequestActions({ request, onUpdate, onExecute }: RequestHandlers & { request: DeletionRequest }) {
  const verb = isClosed(request) ? 'View' : 'Update';
  return (
    <Flex gap="2">
      <Button variant="outline" size="sm" aria-label={`${verb} ${request.requestId}`} onClick={() => onUpdate(request)}>
        {verb}
      </Button>
      {request.status === 'approved' ? (
        <Button
          variant="danger"
          size="sm"
          aria-label={`Execute ${request.requestId}`}
          onClick={() => onExecute(request)}
        >
          Execute
        </Button>
      ) : null}
    </Flex>
  );
}

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
