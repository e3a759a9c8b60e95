import { Flex } from '@chakra-ui/react';
import { Form, Formik, type FormikHelpers } from 'formik';
import { useEffect, useRef, useState } from 'react';
import { readFault, wholeRefusal } from '../../../lib/server/faults/errors.ts';
import { FocusFirstError } from '../../../ui/form/FormField.tsx';
import { FormRefusal } from '../../../ui/form/FormRefusal.tsx';
import { BusyButton, Button } from '../../../ui/parts/Button.tsx';
import { appCodeSchema } from '../account-schemas.ts';
import { TextLine } from '../fields.tsx';

interface AppCodeFormProps {
  /** Of the form, for screen readers. */
  name: string;
  hint: string;
  action: string;
  /** What was pressed to come here is gone: the field takes the focus. */
  takesFocus?: true;
  /** Does what the code is for; what it throws is shown. */
  onCode: (code: string) => Promise<void>;
  onCancel: () => void;
}

const empty = { code: '' };

/** Asks for a code of the authenticator app. */
export function AppCodeForm({ name, hint, action, takesFocus, onCode, onCancel }: AppCodeFormProps) {
  const lines = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (takesFocus) lines.current?.querySelector('input')?.focus();
  }, [takesFocus]);
  const [refusal, setRefusal] = useState<string>();
  const submit = async ({ code }: typeof empty, { setStatus }: FormikHelpers<typeof empty>) => {
    setRefusal(undefined);
    try {
      await onCode(code.trim());
    } catch (error) {
      const fault = readFault(error);
      setStatus(fault.fields);
      setRefusal(wholeRefusal(fault));
    }
  };
  return (
    <Formik initialValues={empty} validationSchema={appCodeSchema} onSubmit={submit}>
      {({ isSubmitting }) => (
        <Form noValidate aria-label={name}>
          <FocusFirstError />
          <Flex ref={lines} direction="column" gap="4" maxW="320px">
            <FormRefusal>{refusal}</FormRefusal>
            <TextLine name="code" label="Code" hint={hint} autoComplete="one-time-code" required />
            <Flex gap="3" wrap="wrap">
              <BusyButton type="submit" isBusy={isSubmitting}>
                {action}
              </BusyButton>
              <Button variant="outline" onClick={onCancel}>
                Cancel
              </Button>
            </Flex>
          </Flex>
        </Form>
      )}
    </Formik>
  );
}
