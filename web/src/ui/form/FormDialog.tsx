import { Flex } from '@chakra-ui/react';
import { Form, Formik, type FormikHelpers, type FormikValues } from 'formik';
import { useId, useState } from 'react';
import { type Fault, formError } from '../../lib/server/faults/errors.ts';
import { BusyButton } from '../parts/Button.tsx';
import { Dialog } from '../parts/Dialog.tsx';
import { FormError } from './FormError.tsx';
import { FocusFirstError } from './FormField.tsx';
import type { ServerFormProps } from './ServerForm.tsx';

interface FormDialogProps<T> extends Pick<ServerFormProps<T>, 'initial' | 'schema' | 'children'> {
  title: string;
  /** The form's name for screen readers; the title unless given. */
  name?: string;
  /** A sentence above the fields. */
  intro?: string;
  /** The button that saves and its text while it does; null where the fields can only be read. */
  button: { text: string; busy: string } | null;
  /** @returns what went wrong; null when nothing did */
  save: (values: T) => Promise<Fault | null>;
  /** Called once it is saved; `onClose` unless given. */
  onSaved?: () => void;
  onClose: () => void;
}

/** A form in a dialog, which stays open until the server accepts the values. */
export function FormDialog<T extends FormikValues>({
  title,
  name = title,
  intro,
  button,
  initial,
  schema,
  save,
  onClose,
  onSaved = onClose,
  children,
}: FormDialogProps<T>) {
  const formId = useId();
  const [refusal, setRefusal] = useState<string>();
  const submit = async (values: T, { setStatus }: FormikHelpers<T>) => {
    setRefusal(undefined);
    const fault = await save(values);
    if (!fault) return onSaved();
    setStatus(fault.fields);
    setRefusal(formError(fault));
  };
  return (
    <Formik initialValues={initial} validationSchema={schema} onSubmit={submit}>
      {(form) => (
        <Dialog
          open
          onClose={onClose}
          title={title}
          cancel={button ? 'Cancel' : 'Close'}
          action={
            button ? (
              <BusyButton type="submit" form={formId} isBusy={form.isSubmitting}>
                {form.isSubmitting ? button.busy : button.text}
              </BusyButton>
            ) : null
          }
        >
          {intro}
          <Form id={formId} noValidate aria-label={name}>
            <FocusFirstError />
            <Flex direction="column" gap="4" mt={intro ? '4' : '3'} color="ink">
              <FormError>{refusal}</FormError>
              {children(form)}
            </Flex>
          </Form>
        </Dialog>
      )}
    </Formik>
  );
}
