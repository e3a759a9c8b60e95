import { useMutation } from '@apollo/client/react';
import { forgotPasswordSchema } from '@lotwatch/api/forms/password';
import { graphql } from '../../../gql/gql.ts';
import { toast } from '../../../lib/state/toasts.ts';
import { ServerForm } from '../../../ui/form/ServerForm.tsx';
import { Button } from '../../../ui/parts/Button.tsx';
import { TextLine } from '../fields.tsx';

const RequestPasswordResetDocument = graphql(`
  mutation RequestPasswordReset($email: String!) {
    requestPasswordReset(email: $email) {
      message
    }
  }
`);

const empty = { email: '' };

interface ForgotPasswordFormProps {
  /** The server accepted the request: its message, and the address. */
  onSent: (sent: { message: string; email: string }) => void;
}

/** Asks for the link with which a forgotten password is replaced. */
export function ForgotPasswordForm({ onSent }: ForgotPasswordFormProps) {
  const [request] = useMutation(RequestPasswordResetDocument);
  const save = async (values: typeof empty) => {
    const email = values.email.trim();
    const { data } = await request({ variables: { email } });
    if (data) onSent({ message: data.requestPasswordReset.message, email });
  };
  return (
    <ServerForm
      name="Forgot password"
      initial={empty}
      schema={forgotPasswordSchema}
      save={save}
      onFault={({ message }) => toast('Error', message, 'destructive')}
    >
      {({ isSubmitting }) => (
        <>
          <TextLine name="email" label="Email" type="email" autoComplete="email" required />
          <Button type="submit" size="lg" w="full" mt="1" disabled={isSubmitting}>
            {isSubmitting ? 'Sending...' : 'Send Link'}
          </Button>
        </>
      )}
    </ServerForm>
  );
}
