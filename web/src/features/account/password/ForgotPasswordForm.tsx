import { useMutation } from '@apollo/client/react';
import { Flex } from '@chakra-ui/react';
import { Form, Formik, type FormikHelpers } from 'formik';
import { graphql } from '../../../gql/gql.ts';
import { readFault } from '../../../lib/server/faults/errors.ts';
import { toast } from '../../../lib/state/toasts.ts';
import { FocusFirstError } from '../../../ui/form/FormField.tsx';
import { Button } from '../../../ui/parts/Button.tsx';
import { forgotPasswordSchema } from '../account-schemas.ts';
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
  /** The server took it; what it says, and for which address. */
  onSent: (sent: { message: string; email: string }) => void;
}

/** Asks for the link with which a forgotten password is set anew. */
export function ForgotPasswordForm({ onSent }: ForgotPasswordFormProps) {
  const [request] = useMutation(RequestPasswordResetDocument);
  const submit = async (values: typeof empty, { setStatus }: FormikHelpers<typeof empty>) => {
    const email = values.email.trim();
    try {
      const { data } = await request({ variables: { email } });
      if (data) onSent({ message: data.requestPasswordReset.message, email });
    } catch (error) {
      const { message, fields } = readFault(error);
      setStatus(fields);
      toast('Error', message, 'destructive');
    }
  };
  return (
    <Formik initialValues={empty} validationSchema={forgotPasswordSchema} onSubmit={submit}>
      {({ isSubmitting }) => (
        <Form noValidate aria-label="Forgot password">
          <FocusFirstError />
          <Flex direction="column" gap="5">
            <TextLine name="email" label="Email" type="email" autoComplete="email" required />
            <Button type="submit" size="lg" w="full" disabled={isSubmitting}>
              {isSubmitting ? 'Sending...' : 'Send Link'}
            </Button>
          </Flex>
        </Form>
      )}
    </Formik>
  );
}
