import { chakra, Flex } from '@chakra-ui/react';
import { deletionStatusText, deletionStatusTone } from '../../../lib/text/deletion-status.ts';
import { Button } from '../../../ui/parts/Button.tsx';
import { Badge } from '../../../ui/parts/Card.tsx';
import { type DeletionRequest, isClosed, reasonPreview } from './deletion-words.ts';

export interface RequestHandlers {
  onUpdate: (request: DeletionRequest) => void;
  onExecute: (request: DeletionRequest) => void;
}

export function StatusBadge({ request: { status } }: { request: DeletionRequest }) {
  return <Badge tone={deletionStatusTone(status)}>{deletionStatusText(status)}</Badge>;
}

/** Who asks, with their number; an erased account has only that. */
export function Requester({ request: { username, userId } }: { request: DeletionRequest }) {
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

export function Reason({ request: { reason } }: { request: DeletionRequest }) {
  if (reason == null) return <chakra.span color="muted">erased</chakra.span>;
  return (
    <chakra.span title={reason} overflowWrap="anywhere">
      {reasonPreview(reason)}
    </chakra.span>
  );
}

/** Update for open requests, Execute for approved ones; closed ones can be read. */
export function RequestActions({ request, onUpdate, onExecute }: RequestHandlers & { request: DeletionRequest }) {
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
