import { useQuery } from '@apollo/client/react';
import { Box } from '@chakra-ui/react';
import { useRef, useState } from 'react';
import { readFault } from '../../../lib/server/faults/errors.ts';
import { useFailure } from '../../../lib/server/faults/use-failure.ts';
import { useKeptFocus } from '../../../lib/state/use-kept-focus.ts';
import { useWide } from '../../../lib/state/use-wide.ts';
import { type DeletionStatusName, deletionStatusText } from '../../../lib/text/deletion-status.ts';
import { plural } from '../../../lib/text/time.ts';
import { Heading } from '../../../ui/parts/Card.tsx';
import { EmptyState, ErrorPanel } from '../../../ui/parts/states.tsx';
import { DeletionRequestsDocument } from './deletion-documents.ts';
import type { DeletionRequest } from './deletion-words.ts';
import { ExecuteDialog } from './ExecuteDialog.tsx';
import { RequestCards } from './RequestCards.tsx';
import { RequestSkeletons } from './RequestSkeletons.tsx';
import { RequestTable } from './RequestTable.tsx';
import { UpdateDialog } from './UpdateDialog.tsx';
import { useDeletionActions } from './use-deletion-actions.ts';

const empty: Record<DeletionStatusName, string> = {
  pending: 'Nobody waits for a decision.',
  approved: 'Nothing waits to be executed.',
  rejected: 'No request was rejected.',
  completed: 'No data was erased yet.',
};

/** The requests in one state, or all, and what the admin does about them. */
export function RequestList({ status }: { status: DeletionStatusName | null }) {
  const asked = useQuery(DeletionRequestsDocument, { variables: { status } });
  const error = useFailure(asked);
  const [updating, setUpdating] = useState<DeletionRequest | null>(null);
  const [executing, setExecuting] = useState<DeletionRequest | null>(null);
  const actions = useDeletionActions(status);
  const isWide = useWide();
  const title = useRef<HTMLHeadingElement>(null);
  const kept = useKeptFocus(title);
  const close = () => {
    setUpdating(null);
    setExecuting(null);
  };
  const requests = asked.data?.deletionRequests;
  if (error) {
    return (
      <ErrorPanel title="The requests could not be loaded" onRetry={() => asked.refetch()}>
        {readFault(error).message}
      </ErrorPanel>
    );
  }
  if (!requests) return <RequestSkeletons />;
  const List = isWide ? RequestTable : RequestCards;
  const kind = status ? `${deletionStatusText(status).toLowerCase()} ` : '';
  return (
    <Box {...kept}>
      <Heading ref={title} tabIndex={-1} size="md" mb="3.5" borderRadius="chip">
        {requests.length === 0 ? `No ${kind}requests` : plural(requests.length, `${kind}request`)}
      </Heading>
      {requests.length === 0 ? (
        <EmptyState title="Nothing here">{status ? empty[status] : 'Nobody has asked for a deletion yet.'}</EmptyState>
      ) : (
        <List requests={requests} onUpdate={setUpdating} onExecute={setExecuting} />
      )}
      {updating ? (
        <UpdateDialog
          request={updating}
          onClose={close}
          onUpdate={(decision, notes) => actions.update(updating, decision, notes)}
        />
      ) : null}
      {executing ? (
        <ExecuteDialog request={executing} onClose={close} onConfirm={() => actions.execute(executing)} />
      ) : null}
    </Box>
  );
}
