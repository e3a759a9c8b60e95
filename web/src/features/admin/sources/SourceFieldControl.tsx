import { PRIVATE_NETWORK, type SourceField } from '@lotwatch/api/forms/sources/source-field';
import { useField, useFormikContext } from 'formik';
import { useState } from 'react';
import { Checkbox } from '../../../ui/form/Checkbox.tsx';
import { FormField, useServerError } from '../../../ui/form/FormField.tsx';
import { Select, TextArea, TextInput } from '../../../ui/form/inputs.tsx';
import { ConfirmDialog } from '../../../ui/parts/ConfirmDialog.tsx';

interface SourceFieldControlProps {
  field: SourceField;
  /** Whether a secret is stored, which stays where the field is left empty. */
  isStored: boolean;
}

/** One field of a source's form, made from its row in the table of kinds. */
export function SourceFieldControl({ field, isStored }: SourceFieldControlProps) {
  const { name, label, hint, control, placeholder, required, secret, choices } = field;
  const { values } = useFormikContext<Record<string, string>>();
  if (control === 'switch') return <SwitchField field={field} />;
  // Where one of a pair is filled in, the other is needed.
  const isNeeded = required === true || (field.with !== undefined && Boolean(values[field.with]?.trim()));
  const isOptional = !isNeeded && control !== 'choice' && field.initial === undefined;
  return (
    <FormField
      name={name}
      label={label}
      hint={hint}
      required={isNeeded && !isStored}
      optional={isOptional && !isStored}
    >
      {(input) => {
        if (control === 'choice') return <Select {...input} options={choices ?? []} />;
        if (control === 'lines' || control === 'pairs' || control === 'json') {
          const isCode = control === 'json';
          return (
            <TextArea
              {...input}
              placeholder={placeholder}
              rows={isCode && required ? 12 : 4}
              autoCapitalize="none"
              autoCorrect="off"
              spellCheck={false}
              {...(isCode && { fontFamily: 'mono', fontSize: { base: '1rem', md: 'xs' } })}
            />
          );
        }
        return (
          <TextInput
            {...input}
            // Browsers offer to store what is typed into a password field, and fill in the admin's own.
            type={control === 'address' ? 'url' : 'text'}
            inputMode={control === 'number' ? 'numeric' : control === 'address' ? 'url' : 'text'}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            placeholder={isStored ? 'Set. Leave empty to keep it' : placeholder}
            {...(secret && { fontFamily: 'mono' })}
          />
        );
      }}
    </FormField>
  );
}

function SwitchField({ field: { name, label, hint } }: { field: SourceField }) {
  const [{ value }] = useField<string>(name);
  const { setFieldValue } = useFormikContext();
  const [error, clearError] = useServerError(name);
  const [isAsking, setAsking] = useState(false);
  const set = (checked: boolean) => {
    clearError();
    void setFieldValue(name, checked ? 'on' : '');
  };
  return (
    <>
      <Checkbox
        name={name}
        label={label}
        hint={hint}
        error={error}
        checked={value === 'on'}
        onChange={(checked) => (checked && name === PRIVATE_NETWORK ? setAsking(true) : set(checked))}
      />
      {isAsking ? (
        <ConfirmDialog
          title="Read from your own network?"
          button="Allow"
          act={async () => {
            set(true);
            return null;
          }}
          onClose={() => setAsking(false)}
        >
          LotWatch then sends requests to this machine and to the machines around it, such as routers and other
          services, and shows here what they answer. Allow it only for an address that you run yourself.
        </ConfirmDialog>
      ) : null}
    </>
  );
}
