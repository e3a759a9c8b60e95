import { useApolloClient, useMutation } from '@apollo/client/react';
import { graphql } from '../../gql/gql.ts';
import { alertFailure } from '../../lib/server/faults/fault-words.ts';
import { releasedText } from '../../lib/server/released-text.ts';
import { toast } from '../../lib/state/toasts.ts';

const SnoozeAlertDocument = graphql(`
  mutation SnoozeAlert($id: ID!, $days: Int!) {
    snoozeAlert(id: $id, days: $days) {
      id
      snoozedUntil
    }
  }
`);

/** Whether the alert's messages wait; the end of a snooze stays stored after it. */
export const isSnoozed = <A extends { snoozedUntil: string | null }>(
  alert: A,
  now: Date,
): alert is A & { snoozedUntil: string } => alert.snoozedUntil !== null && new Date(alert.snoozedUntil) > now;

/** Lets the messages of an alert wait for some days; 0 ends that. */
export function useSnoozeAlert(id: string) {
  const client = useApolloClient();
  const [run, { loading }] = useMutation(SnoozeAlertDocument, {
    async onCompleted({ snoozeAlert }) {
      if (snoozeAlert.snoozedUntil === null) toast('Snooze ended', await releasedText(client, [id]));
      else toast('Alert snoozed', 'New matches appear here, and one message sums them up at the end.');
    },
    onError(error) {
      const { title, text } = alertFailure('update', error);
      toast(title, text, 'destructive');
    },
  });
  return { snooze: (days: number) => run({ variables: { id, days } }), isSaving: loading };
}
