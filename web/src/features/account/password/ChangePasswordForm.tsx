import { useMutation } from '@apollo/client/react';
import { Box } from '@chakra-ui/react';
import { changePasswordSchema, withConfirmation } from '@lotwatch/api/forms/password';
import type { FormikHelpers } from 'formik';
import { graphql } from '../../../gql/gql.ts';
import { toast } from '../../../lib/state/toasts.ts';
import { ServerForm } from '../../../ui/form/ServerForm.tsx';
import { Button } from '../../../ui/parts/Button.tsx';
import { NewPasswordLines, PasswordLine } from '../fields.tsx';
import { refreshViewer } from '../viewer.ts';

const ChangePasswordDocument = graphql(`
  mutation ChangePassword($currentPassword: String!, $newPassword: String!) {
    changePassword(currentPassword: $currentPassword, newPassword: $newPassword) {
      message
    }
  }
`);

const schema = withConfirmation(changePasswordSchema);
const empty = { currentPassword: '', newPassword: '', confirmPassword: '' };

/** Sets another password; every other device is signed out. `username` is for password managers. */
export function ChangePasswordForm({ username }: { username: string }) {
  const [change, { client }] = useMutation(ChangePasswordDocument);
  const save = async ({ currentPassword, newPassword }: typeof empty, { resetForm }: FormikHelpers<typeof empty>) => {
    const { data } = await change({ variables: { currentPassword, newPassword } });
    resetForm();
    toast('Password changed', data?.changePassword.message);
    // Pages that were closed until the change are open now; if this fails, the next call finds out.
    await refreshViewer(client).catch(() => undefined);
  };
  return (
    <ServerForm
      name="Change password"
      initial={empty}
      schema={schema}
      save={save}
      onFault={({ message }) => toast('Password change failed', message, 'destructive')}
    >
      {({ isSubmitting }) => (
        <>
          <input type="text" autoComplete="username" value={username} readOnly hidden />
          <PasswordLine name="currentPassword" label="Current password" autoComplete="current-password" required />
          <NewPasswordLines />
          <Box>
            <Button type="submit" w={{ base: 'full', md: 'auto' }} disabled={isSubmitting}>
              {isSubmitting ? 'Changing...' : 'Change Password'}
            </Button>
          </Box>
        </>
      )}
    </ServerForm>
  );
}
