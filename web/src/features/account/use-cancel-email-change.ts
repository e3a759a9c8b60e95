import { useMutation } from '@apollo/client/react';
import { graphql } from '../../gql/gql.ts';
import { readFault } from '../../lib/server/faults/errors.ts';
import { toast } from '../../lib/state/toasts.ts';

const CancelEmailChangeDocument = graphql(`
  mutation CancelEmailChange {
    cancelEmailChange {
      ...Viewer_user
    }
  }
`);

/** Takes a change of the viewer's address back that has not taken effect, and says so; resolves to whether it did. */
export function useCancelEmailChange(): { cancel: () => Promise<boolean>; isCancelling: boolean } {
  const [mutate, { loading }] = useMutation(CancelEmailChangeDocument);
  const cancel = async () => {
    try {
      await mutate();
      toast('Change cancelled', 'Your email address stays as it is.');
      return true;
    } catch (error) {
      toast('Error', readFault(error).message, 'destructive');
      return false;
    }
  };
  return { cancel, isCancelling: loading };
}
