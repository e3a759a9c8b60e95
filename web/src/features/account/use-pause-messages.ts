import { useApolloClient, useMutation } from '@apollo/client/react';
import { graphql } from '../../gql/gql.ts';
import { readFault } from '../../lib/server/faults/errors.ts';
import { releasedText } from '../../lib/server/released-text.ts';
import { toast } from '../../lib/state/toasts.ts';

const PauseAllDocument = graphql(`
  mutation PauseAll($paused: Boolean!) {
    pauseAll(paused: $paused) {
      id
      messagesPaused
    }
  }
`);

/** Pauses the messages of all alerts, or resumes them, and shows a toast. */
export function usePauseMessages() {
  const client = useApolloClient();
  const [run, { loading }] = useMutation(PauseAllDocument, {
    async onCompleted({ pauseAll }) {
      if (pauseAll.messagesPaused) toast('Messages paused', 'Your alerts keep watching, and their messages wait.');
      else toast('Messages resumed', await releasedText(client));
    },
    onError: (error) => toast('Error', readFault(error).message, 'destructive'),
  });
  return { pause: (paused: boolean) => run({ variables: { paused } }), isSaving: loading };
}
