import { useMutation } from '@apollo/client/react';
import { currentPasswordSchema } from '@lotwatch/api/forms/password';
import { useEffect } from 'react';
import { graphql } from '../../../gql/gql.ts';
import { readFault } from '../../../lib/server/faults/errors.ts';
import type { PasswordQuestion } from '../../../lib/state/password-question.ts';
import { FormDialog } from '../../../ui/form/FormDialog.tsx';
import { PasswordLine } from '../fields.tsx';
import { useViewer } from '../viewer.ts';

const ConfirmPasswordDocument = graphql(`
  mutation ConfirmPassword($currentPassword: String!) {
    confirmPassword(currentPassword: $currentPassword) {
      message
    }
  }
`);

const empty = { currentPassword: '' };

/**
 * Asks for the current password before something is done that it protects; a wrong one is reported here. It closes when
 * the user has signed out.
 */
export function PasswordDialog({ question }: { question: PasswordQuestion }) {
  const { viewer } = useViewer();
  const [confirm] = useMutation(ConfirmPasswordDocument);
  const isSignedOut = viewer === null;
  useEffect(() => {
    if (isSignedOut) question.answer(false);
  }, [isSignedOut, question]);
  return (
    <FormDialog
      title="Confirm your password"
      intro="Please enter your current password to continue. We won't ask again for ten minutes."
      button={{ text: 'Confirm', busy: 'Checking...' }}
      initial={empty}
      schema={currentPasswordSchema}
      save={(values) => confirm({ variables: values }).then(() => null, readFault)}
      onSaved={() => question.answer(true)}
      onClose={() => question.answer(false)}
    >
      {() => (
        <>
          <input type="text" autoComplete="username" value={viewer?.username ?? ''} readOnly hidden />
          <PasswordLine name="currentPassword" label="Current password" autoComplete="current-password" required />
        </>
      )}
    </FormDialog>
  );
}
