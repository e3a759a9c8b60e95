import { useField, useFormikContext } from 'formik';
import { type ReactNode, useEffect, useRef } from 'react';
import { Field, type FieldControlProps } from './Field.tsx';

/** Messages the server gave for fields, kept in Formik's status until the field is changed. */
export type ServerErrors = Record<string, string>;

export function isServerErrors(status: unknown): status is ServerErrors {
  return typeof status === 'object' && status !== null;
}

export interface FormControl extends FieldControlProps {
  name: string;
  value: string;
  onChange: (event: { currentTarget: { value: string } }) => void;
  onBlur: () => void;
}

interface FormFieldProps {
  name: string;
  label: string;
  hint?: ReactNode;
  required?: boolean;
  optional?: boolean;
  /** What the control must spread. `setValue` is for a control whose value is not just what was typed. */
  children: (control: FormControl, setValue: (value: string) => void) => ReactNode;
}

/** The server's message about a field, and what removes it, and one about the object that the field is part of. */
export function useServerError(name: string): [string | undefined, () => void] {
  const { status, setStatus } = useFormikContext();
  const errors = isServerErrors(status) ? status : {};
  const isOf = (key: string) => key === name || name.startsWith(`${key}.`);
  const clear = () => {
    if (Object.keys(errors).some(isOf))
      setStatus(Object.fromEntries(Object.entries(errors).filter(([key]) => !isOf(key))));
  };
  return [errors[name], clear];
}

/** A `Field` bound to Formik's field `name`: the error shows after the field lost the focus or the form was sent. */
export function FormField({ name, label, hint, required, optional, children }: FormFieldProps) {
  const [field, meta] = useField<string>(name);
  const { setFieldValue, setFieldTouched } = useFormikContext();
  const [serverError, clearServerError] = useServerError(name);
  const error = (meta.touched ? meta.error : undefined) ?? serverError;
  /** The server's message was about the former value, so it is removed. */
  const setValue = (value: string) => {
    clearServerError();
    void setFieldValue(name, value);
  };
  return (
    <Field label={label} error={error} hint={hint} required={required} optional={optional}>
      {(control) =>
        children(
          {
            ...control,
            name,
            value: field.value,
            onChange: (event) => setValue(event.currentTarget.value),
            onBlur: () => void setFieldTouched(name, true),
          },
          setValue,
        )
      }
    </Field>
  );
}

/** Moves the focus to an invalid field, or to the first control of an invalid group, and opens what hides it. */
function focusInvalid(field: HTMLElement | null | undefined): void {
  const hiding = field?.closest('details');
  if (hiding) hiding.open = true;
  (field?.role === 'group' ? field.querySelector('button') : field)?.focus();
}

/** Moves the focus to the first invalid field after a refused submit. It must be inside the form. */
export function FocusFirstError() {
  const { submitCount, isSubmitting, isValid, status } = useFormikContext();
  const anchor = useRef<HTMLSpanElement>(null);
  const handled = useRef(0);
  const hasServerErrors = isServerErrors(status) && Object.keys(status).length > 0;
  useEffect(() => {
    if (isSubmitting || submitCount === handled.current) return;
    handled.current = submitCount;
    if (isValid && !hasServerErrors) return;
    focusInvalid(anchor.current?.closest('form')?.querySelector<HTMLElement>('[aria-invalid=true]'));
  }, [submitCount, isSubmitting, isValid, hasServerErrors]);
  return <span ref={anchor} hidden />;
}
