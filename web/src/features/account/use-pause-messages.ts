import { useMutation } from '@apollo/client/react';
import { graphql } from '../../gql/gql.ts';
import { readFault } from '../../lib/server/faults/errors.ts';
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
  const [run, { loading }] = useMutation(PauseAllDocument, {
    onCompleted({ pauseAll }) {
      if (pauseAll.messagesPaused) toast('Messages paused', 'Your alerts keep watching, and their messages wait.');
      else toast('Messages resumed', 'What waited is on its way.');
    },
    onError: (error) => toast('Error', readFault(error).message, 'destructive'),
  });
  return { pause: (paused: boolean) => run({ variables: { paused } }), isSaving: loading };
}
