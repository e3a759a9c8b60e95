import { useMutation } from '@apollo/client/react';
import { graphql } from '../../gql/gql.ts';
import { readFault } from '../../lib/server/faults/errors.ts';
import { toast } from '../../lib/state/toasts.ts';

const ResendConfirmationDocument = graphql(`
  mutation ResendConfirmation {
    resendConfirmation {
      message
    }
  }
`);

/** Mails the confirmation link of the viewer's address again and shows a toast. */
export function useResendConfirmation(): { resend: () => Promise<void>; isSending: boolean } {
  const [mutate, { loading }] = useMutation(ResendConfirmationDocument);
  const resend = async () => {
    try {
      const { data } = await mutate();
      toast('Confirmation sent', data?.resendConfirmation.message);
    } catch (error) {
      toast('Error', readFault(error).message, 'destructive');
    }
  };
  return { resend, isSending: loading };
}
