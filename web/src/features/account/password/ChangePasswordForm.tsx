import { useMutation } from '@apollo/client/react';
import { Box, Flex } from '@chakra-ui/react';
import { Form, Formik, type FormikHelpers } from 'formik';
import { graphql } from '../../../gql/gql.ts';
import { readFault } from '../../../lib/server/faults/errors.ts';
import { toast } from '../../../lib/state/toasts.ts';
import { FocusFirstError } from '../../../ui/form/FormField.tsx';
import { Button } from '../../../ui/parts/Button.tsx';
import { changePasswordSchema } from '../account-schemas.ts';
import { PasswordLine } from '../fields.tsx';
import { refreshViewer } from '../viewer.ts';
import { NewPasswordLines } from './NewPasswordLines.tsx';

const ChangePasswordDocument = graphql(`
  mutation ChangePassword($currentPassword: String!, $newPassword: String!) {
    changePassword(currentPassword: $currentPassword, newPassword: $newPassword) {
      message
    }
  }
`);

const empty = { currentPassword: '', newPassword: '', confirmPassword: '' };

/** Sets another password; every other device is signed out. `username` is for password managers. */
export function ChangePasswordForm({ username }: { username: string }) {
  const [change, { client }] = useMutation(ChangePasswordDocument);
  const submit = async (
    { currentPassword, newPassword }: typeof empty,
    { setStatus, resetForm }: FormikHelpers<typeof empty>,
  ) => {
    try {
      const { data } = await change({ variables: { currentPassword, newPassword } });
      resetForm();
      toast('Password changed', data?.changePassword.message);
      // What waited for it is open now; if that can't be learned, the next call will tell.
      await refreshViewer(client).catch(() => undefined);
    } catch (error) {
      const { message, fields } = readFault(error);
      setStatus(fields);
      toast('Password change failed', message, 'destructive');
    }
  };
  return (
    <Formik initialValues={empty} validationSchema={changePasswordSchema} onSubmit={submit}>
      {({ isSubmitting }) => (
        <Form noValidate aria-label="Change password">
          <FocusFirstError />
          <input type="text" autoComplete="username" value={username} readOnly hidden />
          <Flex direction="column" gap="4">
            <PasswordLine name="currentPassword" label="Current password" autoComplete="current-password" required />
            <NewPasswordLines />
            <Box>
              <Button type="submit" w={{ base: 'full', md: 'auto' }} disabled={isSubmitting}>
                {isSubmitting ? 'Changing...' : 'Change Password'}
              </Button>
            </Box>
          </Flex>
        </Form>
      )}
    </Formik>
  );
}
