import { useApolloClient, useMutation } from '@apollo/client/react';
import { graphql } from '../../gql/gql.ts';
import { readFault } from '../../lib/server/faults/errors.ts';
import { releasedText } from '../../lib/server/released-text.ts';
import { toast } from '../../lib/state/toasts.ts';

const ResumeEmailDocument = graphql(`
  mutation ResumeEmail {
    resumeEmail {
      id
      email
      emailSuppression {
        reason
      }
    }
  }
`);

/** Lets mails about cars go to the viewer's address again, and shows a toast. */
export function useResumeEmail() {
  const client = useApolloClient();
  const [run, { loading }] = useMutation(ResumeEmailDocument, {
    onCompleted: async ({ resumeEmail }) =>
      toast('Mails resumed', `Mails go to ${resumeEmail.email} again. ${await releasedText(client)}`),
    onError: (error) => toast('Error', readFault(error).message, 'destructive'),
  });
  return { resume: () => run(), isResuming: loading };
}
