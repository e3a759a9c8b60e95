import type { ReactNode } from 'react';
import { FormField } from '../../ui/form/FormField.tsx';
import { TextInput } from '../../ui/form/inputs.tsx';
import { PasswordInput } from './password/PasswordInput.tsx';

interface LineProps {
  name: string;
  label: string;
  /** What the browser may fill in. */
  autoComplete: string;
  hint?: ReactNode;
  required?: boolean;
  optional?: boolean;
}

/** A line of text in a Formik form. Addresses and names keep the case in which they were typed. */
export function TextLine({ type = 'text', autoComplete, ...field }: LineProps & { type?: 'text' | 'email' | 'tel' }) {
  return (
    <FormField {...field}>
      {({ setValue, ...control }) => (
        <TextInput
          {...control}
          type={type}
          autoComplete={autoComplete}
          autoCapitalize="none"
          spellCheck={false}
          onChange={(event) => setValue(event.currentTarget.value)}
        />
      )}
    </FormField>
  );
}

/** A password in a Formik form. */
export function PasswordLine({ autoComplete, ...field }: LineProps) {
  return (
    <FormField {...field}>
      {({ setValue, ...control }) => (
        <PasswordInput
          {...control}
          autoComplete={autoComplete}
          onChange={(event) => setValue(event.currentTarget.value)}
        />
      )}
    </FormField>
  );
}
