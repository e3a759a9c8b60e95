import { useApolloClient, useQuery } from '@apollo/client/react';
import { Box, chakra, Flex } from '@chakra-ui/react';
import { type FocusEvent, type RefObject, useEffect, useRef, useState } from 'react';
import type { AdminCountsQuery, DeletionStatus } from '../../../gql/graphql.ts';
import { type Fault, readFault } from '../../../lib/server/faults/errors.ts';
import { runAction } from '../../../lib/server/faults/run-action.ts';
import { useFailure } from '../../../lib/server/faults/use-failure.ts';
import { toast } from '../../../lib/state/toasts.ts';
import { useWide } from '../../../lib/state/use-wide.ts';
import { type DeletionStatusName, deletionStatuses, deletionStatusText } from '../../../lib/text/deletion-status.ts';
import { plural } from '../../../lib/text/time.ts';
import { Card, Heading } from '../../../ui/parts/Card.tsx';
import { ConfirmDialog } from '../../../ui/parts/ConfirmDialog.tsx';
import { Tabs } from '../../../ui/parts/sections/Tabs.tsx';
import { EmptyState, ErrorPanel, LoadingNote, Skeleton } from '../../../ui/parts/states.tsx';
import { AdminCountsDocument } from '../admin-counts.ts';
import {
  DeletionRequestsDocument,
  ExecuteDeletionDocument,
  UpdateDeletionRequestDocument,
} from './deletion-documents.ts';
import { type DeletionRequest, requesterText } from './deletion-words.ts';
import { RequestCards, RequestTable } from './RequestTable.tsx';
import { UpdateDialog } from './UpdateDialog.tsx';

type Counts = Pick<AdminCountsQuery['adminCounts'], DeletionStatusName>;

/** How many requests there are in all. */
export const countRequests = (counts: Counts): number =>
  deletionStatuses.reduce((sum, status) => sum + counts[status], 0);

interface DeletionRequestsProps {
  /** As the page's address says it; empty is 'pending'. */
  status: string;
  onChoose: (status: string) => void;
  /** How many there are in each state; undefined until it is known. */
  counts: Counts | undefined;
}

const choices = [...deletionStatuses, 'all'] as const;
const names: readonly string[] = choices;

/** What people ask to have erased, by state. */
export function DeletionRequests({ status, counts, onChoose }: DeletionRequestsProps) {
  const tabs = choices.map((choice) => ({
    name: choice === 'all' ? 'All' : deletionStatusText(choice),
    count: counts ? (choice === 'all' ? countRequests(counts) : counts[choice]) : null,
    content: <RequestList key={choice} status={choice === 'all' ? null : choice} />,
  }));
  return (
    <Tabs
      label="Status"
      quiet
      tabs={tabs}
      chosen={Math.max(0, names.indexOf(status))}
      onChoose={(index) => onChoose(choices[index] ?? '')}
    />
  );
}

const empty: Record<DeletionStatusName, string> = {
  pending: 'No request is waiting for a decision.',
  approved: 'No request is waiting to be executed.',
  rejected: 'No request was rejected.',
  completed: 'No request has been completed yet.',
};

/** The requests in one state, or all, and what the admin does about them. */
function RequestList({ status }: { status: DeletionStatusName | null }) {
  const result = useQuery(DeletionRequestsDocument, { variables: { status } });
  const error = useFailure(result);
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
  const requests = result.data?.deletionRequests;
  if (error) {
    return (
      <ErrorPanel title="The requests could not be loaded" onRetry={() => result.refetch()}>
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
        <EmptyState title="Nothing here">{status ? empty[status] : 'There are no deletion requests yet.'}</EmptyState>
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

interface ExecuteDialogProps {
  request: DeletionRequest;
  onClose: () => void;
  onConfirm: () => Promise<Fault | null>;
}

/** Asks before a person's data is erased. */
function ExecuteDialog({ request, onClose, onConfirm }: ExecuteDialogProps) {
  return (
    <ConfirmDialog
      title="Execute Deletion"
      button="Delete Data"
      acting="Deleting..."
      danger
      act={onConfirm}
      onClose={onClose}
    >
      <p>Are you sure you want to delete this user's data? This action cannot be undone.</p>
      <chakra.p mt="3" color="ink" fontWeight="600" overflowWrap="anywhere">
        {requesterText(request)}, request {request.requestId}
      </chakra.p>
    </ConfirmDialog>
  );
}

/** Placeholders of rows, or of cards on a phone. */
function RequestSkeletons() {
  const isWide = useWide();
  return (
    <>
      <LoadingNote>Loading the deletion requests</LoadingNote>
      <Skeleton h="6" w="160px" mb="3.5" />
      {isWide ? (
        <Card pad="md" animation="appear 1ms 150ms both">
          <Flex direction="column" gap="4">
            {[0, 1, 2, 3].map((index) => (
              <Skeleton key={index} h="9" w="full" />
            ))}
          </Flex>
        </Card>
      ) : (
        <Flex direction="column" gap="3.5">
          {[0, 1].map((index) => (
            <Card key={index} animation="appear 1ms 150ms both">
              <Skeleton h="5" w="50%" />
              <Skeleton h="16" w="full" mt="3" />
              <Skeleton h="11" w="90px" mt="3" />
            </Card>
          ))}
        </Flex>
      )}
    </>
  );
}

/**
 * Moves the focus to `fallback` when the focused element leaves the page, as a row does that moves to another list.
 * @returns for the element around all that may have had it, of the component that calls this
 */
function useKeptFocus(fallback: RefObject<HTMLElement | null>): { onFocus: (event: FocusEvent) => void } {
  const last = useRef<Element | null>(null);
  useEffect(() => {
    const isGone = last.current?.isConnected === false;
    if (isGone && document.activeElement === document.body) fallback.current?.focus({ preventScroll: true });
  });
  return {
    onFocus: ({ target }) => {
      last.current = target;
    },
  };
}

/** Decides and executes requests, each with a toast; afterwards the list on screen, of `shown`, is fetched again. */
function useDeletionActions(shown: DeletionStatusName | null) {
  const client = useApolloClient();
  const refetch = () => {
    // A request moves from one list to another: those that aren't on screen are fetched when they are shown.
    for (const status of [null, ...deletionStatuses]) {
      if (status !== shown) client.cache.evict({ id: 'ROOT_QUERY', fieldName: 'deletionRequests', args: { status } });
    }
    return client.refetchQueries({ include: [DeletionRequestsDocument, AdminCountsDocument] });
  };
  const run = (failure: string, work: () => Promise<void>) => runAction(failure, work, refetch);
  return {
    update: ({ requestId }: DeletionRequest, status: DeletionStatus, notes: string) =>
      run('Update failed', async () => {
        await client.mutate({ mutation: UpdateDeletionRequestDocument, variables: { requestId, status, notes } });
        toast('Request updated', `${requestId} is ${deletionStatusText(status).toLowerCase()}.`);
      }),
    execute: (request: DeletionRequest) =>
      run('Deletion failed', async () => {
        const { data } = await client.mutate({
          mutation: ExecuteDeletionDocument,
          variables: { userId: request.userId },
        });
        toast('Deletion executed', data?.executeDeletion.message ?? requesterText(request));
      }),
  };
}
