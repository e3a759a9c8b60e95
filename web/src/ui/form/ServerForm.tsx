import { Flex } from '@chakra-ui/react';
import { Form, Formik, type FormikHelpers, type FormikProps, type FormikValues } from 'formik';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { Schema } from 'yup';
import { type Fault, formError, readFault } from '../../lib/server/faults/errors.ts';
import { FormError } from './FormError.tsx';
import { FocusFirstError } from './FormField.tsx';

export interface ServerFormProps<T> {
  /** The form's name for screen readers. */
  name: string;
  initial: T;
  schema: Schema;
  /** Does what the form is for. When it throws, the server's messages appear at their fields. */
  save: (values: T, form: FormikHelpers<T>) => Promise<void>;
  /** Reports what went wrong; without it the refusal appears above the fields. */
  onFault?: (fault: Fault, error: unknown) => void;
  /** The button that opened the form is gone, so the first field takes the focus. */
  takesFocus?: boolean;
  children: (form: FormikProps<T>) => ReactNode;
}

/** A Formik form that the server has the last word about. */
export function ServerForm<T extends FormikValues>({
  name,
  initial,
  schema,
  save,
  onFault,
  takesFocus = false,
  children,
}: ServerFormProps<T>) {
  const [refusal, setRefusal] = useState<string>();
  const fields = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (takesFocus) fields.current?.querySelector('input')?.focus();
  }, [takesFocus]);
  const submit = async (values: T, form: FormikHelpers<T>) => {
    setRefusal(undefined);
    try {
      await save(values, form);
    } catch (error) {
      const fault = readFault(error);
      form.setStatus(fault.fields);
      if (onFault) onFault(fault, error);
      else setRefusal(formError(fault));
    }
  };
  return (
    <Formik initialValues={initial} validationSchema={schema} onSubmit={submit}>
      {(form) => (
        <Form noValidate aria-label={name} method="post">
          <FocusFirstError />
          <Flex ref={fields} direction="column" gap="4">
            <FormError>{refusal}</FormError>
            {children(form)}
          </Flex>
        </Form>
      )}
    </Formik>
  );
}
