import { useMutation } from '@apollo/client/react';
import { Flex } from '@chakra-ui/react';
import { Form, Formik, type FormikHelpers } from 'formik';
import { useEffect, useId, useState } from 'react';
import { graphql } from '../../../gql/gql.ts';
import { readFault, wholeRefusal } from '../../../lib/server/faults/errors.ts';
import type { PasswordQuestion } from '../../../lib/state/password-question.ts';
import { FocusFirstError } from '../../../ui/form/FormField.tsx';
import { FormRefusal } from '../../../ui/form/FormRefusal.tsx';
import { BusyButton } from '../../../ui/parts/Button.tsx';
import { Dialog } from '../../../ui/parts/Dialog.tsx';
import { currentPasswordSchema } from '../account-schemas.ts';
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
 * Asks for the current password before something is done that it protects; a wrong one is said here. It goes when nobody
 * is signed in any more.
 */
export function PasswordDialog({ question }: { question: PasswordQuestion }) {
  const { viewer } = useViewer();
  const [confirm] = useMutation(ConfirmPasswordDocument);
  const [refusal, setRefusal] = useState<string>();
  const formId = useId();
  const isSignedOut = viewer === null;
  useEffect(() => {
    if (isSignedOut) question.answer(false);
  }, [isSignedOut, question]);
  const submit = async (values: typeof empty, { setStatus }: FormikHelpers<typeof empty>) => {
    setRefusal(undefined);
    try {
      await confirm({ variables: values });
      question.answer(true);
    } catch (error) {
      const fault = readFault(error);
      setStatus(fault.fields);
      setRefusal(wholeRefusal(fault));
    }
  };
  return (
    <Formik initialValues={empty} validationSchema={currentPasswordSchema} onSubmit={submit}>
      {({ isSubmitting }) => (
        <Dialog
          open
          onClose={() => question.answer(false)}
          title="Confirm your password"
          action={
            <BusyButton type="submit" form={formId} isBusy={isSubmitting}>
              {isSubmitting ? 'Checking...' : 'Confirm'}
            </BusyButton>
          }
        >
          Please enter your current password to go on. We won't ask again for ten minutes.
          <Form id={formId} noValidate aria-label="Confirm your password">
            <FocusFirstError />
            <input type="text" autoComplete="username" value={viewer?.username ?? ''} readOnly hidden />
            <Flex direction="column" gap="4" mt="4" color="ink">
              <FormRefusal>{refusal}</FormRefusal>
              <PasswordLine name="currentPassword" label="Current password" autoComplete="current-password" required />
            </Flex>
          </Form>
        </Dialog>
      )}
    </Formik>
  );
}
