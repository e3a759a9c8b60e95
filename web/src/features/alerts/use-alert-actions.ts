import { useMutation } from '@apollo/client/react';
import { useRef, useState } from 'react';
import { graphql } from '../../gql/gql.ts';
import { evictAlert } from '../../lib/server/client/cache.ts';
import { isTemporary } from '../../lib/server/faults/errors.ts';
import { alertFailure, notificationFailure } from '../../lib/server/faults/fault-words.ts';
import { readNewCounts } from '../../lib/server/new-counts.ts';
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
  isActive: boolean;
  pausedByPlan: boolean;
}

/**
 * The alert as shown, with a function that switches it on or off. The switch moves immediately and moves back if the
 * server refuses. The cache gets no optimistic answer, because it would stay on screen if a query of the list fails.
 */
export function useSwitchAlert<Alert extends Switched>(alert: Alert) {
  const [run, { client }] = useMutation(SwitchAlertDocument);
  const [wanted, setWanted] = useState<boolean | null>(null);
  const lastPress = useRef(0);
  const evictAlertQuota = () => client.cache.evict({ id: 'ROOT_QUERY', fieldName: 'canCreateAlert' });
  const switchTo = async (isActive: boolean) => {
    lastPress.current += 1;
    const press = lastPress.current;
    setWanted(isActive);
    try {
      await run({ variables: { id: alert.id, isActive } });
      evictAlertQuota();
      if (isActive) void readNewCounts(client);
      toast('Alert updated', 'Your alert has been updated successfully.');
    } catch (error) {
      // The quota may have been used up elsewhere, so a refusal fetches it again; an unreachable server can't be asked.
      if (!isTemporary(error)) evictAlertQuota();
      showFailure('update', error);
    }
    if (press === lastPress.current) setWanted(null);
  };
  const shown = wanted === null ? alert : { ...alert, isActive: wanted, pausedByPlan: false };
  return { shown, switchTo };
}

export function useRenewAlert() {
  const [run, { loading }] = useMutation(RenewAlertDocument, {
    update: (cache) => void cache.evict({ id: 'ROOT_QUERY', fieldName: 'canCreateAlert' }),
    onCompleted: ({ renewAlert }) => toast('Alert renewed', `It is active until ${dateText(renewAlert.expiresAt)}.`),
    onError: (error) => showFailure('update', error),
  });
  return { renew: (id: string) => run({ variables: { id } }), isRenewing: loading };
}

/** Deletes an alert and removes it from every list on screen. Resolves to whether it was deleted. */
export function useDeleteAlert() {
  const [run, { loading, client }] = useMutation(DeleteAlertDocument);
  const remove = async (id: string): Promise<boolean> => {
    try {
      await run({
        variables: { id },
        update: (cache) => {
          evictAlert(cache, id);
          cache.evict({ id: 'ROOT_QUERY', fieldName: 'canCreateAlert' });
        },
      });
    } catch (error) {
      showFailure('delete', error);
      return false;
    }
    void readNewCounts(client);
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
