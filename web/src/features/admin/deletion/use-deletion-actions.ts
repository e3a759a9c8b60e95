import { useApolloClient } from '@apollo/client/react';
import type { DeletionStatus } from '../../../gql/graphql.ts';
import { type Fault, readFault } from '../../../lib/server/faults/errors.ts';
import { toastFault } from '../../../lib/server/faults/toast-fault.ts';
import { toast } from '../../../lib/state/toasts.ts';
import { type DeletionStatusName, deletionStatuses, deletionStatusText } from '../../../lib/text/deletion-status.ts';
import {
  DeletionRequestsDocument,
  ExecuteDeletionDocument,
  UpdateDeletionRequestDocument,
} from './deletion-documents.ts';
import { type DeletionRequest, requesterText } from './deletion-words.ts';

/** Decides and executes requests, each with a toast; afterwards the list on screen, of `shown`, is fetched again. */
export function useDeletionActions(shown: DeletionStatusName | null) {
  const client = useApolloClient();
  /** @returns what went wrong; null when nothing did */
  const run = async (failure: string, work: () => Promise<void>): Promise<Fault | null> => {
    let fault: Fault | null = null;
    try {
      await work();
    } catch (error) {
      fault = readFault(error);
      toastFault(failure, fault);
    }
    // A request moves from one list to another: those that aren't on screen are fetched when they are shown.
    for (const status of [null, ...deletionStatuses]) {
      if (status !== shown) client.cache.evict({ id: 'ROOT_QUERY', fieldName: 'deletionRequests', args: { status } });
    }
    await client.refetchQueries({ include: [DeletionRequestsDocument] }).catch(() => undefined);
    return fault;
  };
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
