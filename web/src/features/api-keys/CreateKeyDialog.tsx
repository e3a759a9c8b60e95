import { Flex } from '@chakra-ui/react';
import { apiKeyTexts, bounds } from '@lotwatch/api/form-rules';
import { Form, Formik, type FormikHelpers } from 'formik';
import { useState } from 'react';
import { object, string } from 'yup';
import { wholeRefusal } from '../../lib/server/faults/errors.ts';
import { FocusFirstError, FormField } from '../../ui/form/FormField.tsx';
import { FormRefusal } from '../../ui/form/FormRefusal.tsx';
import { Select, TextInput } from '../../ui/form/inputs.tsx';
import { BusyButton } from '../../ui/parts/Button.tsx';
import { Dialog } from '../../ui/parts/Dialog.tsx';
import type { KeyActions } from './use-key-actions.ts';

const schema = object({
  name: string().trim().required(apiKeyTexts.nameRequired).max(bounds.keyName, apiKeyTexts.nameLong),
});

const initial = { name: '', scopes: 'read' };

const choices = [
  { value: 'read', label: 'Read only' },
  { value: 'write', label: 'Read and write' },
];

/** Names a key and says what it may do. */
export function CreateKeyDialog({ create, onClose }: { create: KeyActions['create']; onClose: () => void }) {
  const [refusal, setRefusal] = useState<string>();
  const submit = async ({ name, scopes }: typeof initial, { setStatus }: FormikHelpers<typeof initial>) => {
    setRefusal(undefined);
    const fault = await create(name.trim(), scopes === 'write' ? ['read', 'write'] : ['read']);
    if (!fault) return onClose();
    setStatus(fault.fields);
    setRefusal(wholeRefusal(fault));
  };
  return (
    <Formik initialValues={initial} validationSchema={schema} onSubmit={submit}>
      {({ isSubmitting, submitForm }) => (
        <Dialog
          open
          onClose={onClose}
          title="Create an API key"
          action={
            <BusyButton isBusy={isSubmitting} onClick={() => void submitForm()}>
              {isSubmitting ? 'Creating...' : 'Create Key'}
            </BusyButton>
          }
        >
          <Form noValidate aria-label="Create an API key">
            <FocusFirstError />
            <Flex direction="column" gap="4" mt="3" color="ink">
              <FormRefusal>{refusal}</FormRefusal>
              <FormField name="name" label="Name" required hint="What will use it, like “Inventory sync”.">
                {({ setValue, ...control }) => (
                  <TextInput
                    {...control}
                    autoComplete="off"
                    onChange={(event) => setValue(event.currentTarget.value)}
                  />
                )}
              </FormField>
              <FormField name="scopes" label="Access" hint="Give no more than it needs.">
                {({ setValue, ...control }) => (
                  <Select {...control} options={choices} onChange={(event) => setValue(event.currentTarget.value)} />
                )}
              </FormField>
            </Flex>
          </Form>
        </Dialog>
      )}
    </Formik>
  );
}
