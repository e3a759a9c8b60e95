import { useMutation } from '@apollo/client/react';
import { graphql } from '../../gql/gql.ts';
import { dropAlert } from '../../lib/server/client/cache.ts';
import { isPassing } from '../../lib/server/faults/errors.ts';
import { alertFailure, notificationFailure } from '../../lib/server/faults/fault-words.ts';
import { dropNewMatches } from '../../lib/state/new-matches.ts';
import { toast } from '../../lib/state/toasts.ts';
import { dateText } from '../../lib/text/time.ts';

const SwitchAlertDocument = graphql(`
  mutation SwitchAlert($id: ID!, $isActive: Boolean!) {
    updateAlert(id: $id, input: { isActive: $isActive }) {
      id
      isActive
      pausedByPlan
      expiresAt
      daysRemaining
    }
  }
`);

const RenewAlertDocument = graphql(`
  mutation RenewAlert($id: ID!) {
    renewAlert(id: $id) {
      id
      isActive
      pausedByPlan
      expiresAt
      daysRemaining
    }
  }
`);

const DeleteAlertDocument = graphql(`
  mutation DeleteAlert($id: ID!) {
    deleteAlert(id: $id)
  }
`);

const SendTestNotificationDocument = graphql(`
  mutation SendTestNotification($alertId: ID!) {
    sendTestNotification(alertId: $alertId) {
      message
    }
  }
`);

function showFailure(verb: 'update' | 'delete', error: unknown): void {
  const { title, text } = alertFailure(verb, error);
  toast(title, text, 'destructive');
}

interface Switched {
  id: string;
  expiresAt: string;
  daysRemaining: number;
}

/** Switches an alert on or off; the switch moves at once and goes back when the server refuses. */
export function useSwitchAlert() {
  const [run, { client }] = useMutation(SwitchAlertDocument);
  const dropAllowance = () => client.cache.evict({ id: 'ROOT_QUERY', fieldName: 'canCreateAlert' });
  return ({ id, expiresAt, daysRemaining }: Switched, isActive: boolean) => {
    const switched = { __typename: 'Alert', id, isActive, pausedByPlan: false, expiresAt, daysRemaining };
    return run({
      variables: { id, isActive },
      optimisticResponse: { updateAlert: switched },
      // Not in `update`, which also runs for the optimistic answer: queries would be asked anew before it is known.
      onCompleted: () => {
        dropAllowance();
        toast('Alert updated', 'Your alert has been updated successfully.');
      },
      onError(error) {
        // A refusal may be of an allowance that was used elsewhere; a server that is away can't be asked.
        if (!isPassing(error)) dropAllowance();
        showFailure('update', error);
      },
    });
  };
}

export function useRenewAlert() {
  const [run, { loading }] = useMutation(RenewAlertDocument, {
    update: (cache) => void cache.evict({ id: 'ROOT_QUERY', fieldName: 'canCreateAlert' }),
    onCompleted: ({ renewAlert }) => toast('Alert renewed', `It watches until ${dateText(renewAlert.expiresAt)}.`),
    onError: (error) => showFailure('update', error),
  });
  return { renew: (id: string) => run({ variables: { id } }), isRenewing: loading };
}

/** Deletes an alert and takes it out of every list on screen. Resolves to whether it is gone. */
export function useDeleteAlert() {
  const [run, { loading }] = useMutation(DeleteAlertDocument);
  const remove = async (id: string): Promise<boolean> => {
    try {
      await run({
        variables: { id },
        update: (cache) => {
          dropAlert(cache, id);
          cache.evict({ id: 'ROOT_QUERY', fieldName: 'canCreateAlert' });
        },
      });
    } catch (error) {
      showFailure('delete', error);
      return false;
    }
    dropNewMatches({ alertId: id });
    toast('Alert deleted', 'The alert has been successfully deleted.');
    return true;
  };
  return { remove, isDeleting: loading };
}

export function useSendTestNotification() {
  const [run, { loading }] = useMutation(SendTestNotificationDocument, {
    onCompleted: ({ sendTestNotification }) => toast('Notification sent', sendTestNotification.message),
    onError: (error) => toast('Error sending notification', notificationFailure(error), 'destructive'),
  });
  return { send: (alertId: string) => run({ variables: { alertId } }), isSending: loading };
}
