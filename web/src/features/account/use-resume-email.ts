import { useMutation } from '@apollo/client/react';
import { graphql } from '../../gql/gql.ts';
import { readFault } from '../../lib/server/faults/errors.ts';
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
  const [run, { loading }] = useMutation(ResumeEmailDocument, {
    onCompleted: ({ resumeEmail }) => toast('Mails resumed', `What waited is on its way to ${resumeEmail.email}.`),
    onError: (error) => toast('Error', readFault(error).message, 'destructive'),
  });
  return { resume: () => run(), isResuming: loading };
}
