import { useMutation } from '@apollo/client/react';
import { Flex } from '@chakra-ui/react';
import { Form, Formik, type FormikHelpers } from 'formik';
import { graphql } from '../../../gql/gql.ts';
import { readFault } from '../../../lib/server/faults/errors.ts';
import { toast } from '../../../lib/state/toasts.ts';
import { FocusFirstError } from '../../../ui/form/FormField.tsx';
import { Button } from '../../../ui/parts/Button.tsx';
import { resetPasswordSchema } from '../account-schemas.ts';
import { refreshViewer } from '../viewer.ts';
import { NewPasswordLines } from './NewPasswordLines.tsx';

const ResetPasswordDocument = graphql(`
  mutation ResetPassword($token: String!, $newPassword: String!) {
    resetPassword(token: $token, newPassword: $newPassword) {
      message
    }
  }
`);

const empty = { newPassword: '', confirmPassword: '' };

export type ResetOutcome = { state: 'done' | 'refused'; message: string };

interface ResetPasswordFormProps {
  /** From the mailed link. */
  token: string;
  /** The password is set, or the link can't do it. */
  onOutcome: (outcome: ResetOutcome) => void;
}

/** Sets a new password with a mailed link. */
export function ResetPasswordForm({ token, onOutcome }: ResetPasswordFormProps) {
  const [reset, { client }] = useMutation(ResetPasswordDocument);
  const submit = async ({ newPassword }: typeof empty, { setStatus }: FormikHelpers<typeof empty>) => {
    try {
      const { data } = await reset({ variables: { token, newPassword } });
      if (!data) return;
      // Whoever was signed in here no longer is; if that can't be learned now, the next call will tell.
      await refreshViewer(client).catch(() => undefined);
      onOutcome({ state: 'done', message: data.resetPassword.message });
    } catch (error) {
      const { message, fields } = readFault(error);
      if (fields.token !== undefined) {
        onOutcome({ state: 'refused', message });
        return;
      }
      setStatus(fields);
      toast('Password change failed', message, 'destructive');
    }
  };
  return (
    <Formik initialValues={empty} validationSchema={resetPasswordSchema} onSubmit={submit}>
      {({ isSubmitting }) => (
        <Form noValidate aria-label="Set a new password">
          <FocusFirstError />
          <Flex direction="column" gap="4">
            <NewPasswordLines />
            <Button type="submit" size="lg" w="full" mt="1" disabled={isSubmitting}>
              {isSubmitting ? 'Saving...' : 'Set New Password'}
            </Button>
          </Flex>
        </Form>
      )}
    </Formik>
  );
}
