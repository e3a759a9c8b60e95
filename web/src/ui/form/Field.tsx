import { Box, chakra, Flex } from '@chakra-ui/react';
import { CircleAlert } from 'lucide-react';
import { type ReactNode, useId } from 'react';

/** What a control inside a `Field` must spread, so that label, hint and error belong to it. */
export interface FieldControlProps {
  id: string;
  'aria-invalid': boolean;
  'aria-describedby': string | undefined;
  'aria-required': boolean | undefined;
}

interface FieldProps {
  label: string;
  /** Shown under the field, with an error mark at the label. */
  error?: string | undefined;
  /** A quiet line under the field. */
  hint?: ReactNode;
  required?: boolean;
  /** Adds '(optional)' to the label. */
  optional?: boolean;
  /** The `id` of the control, if it must be fixed. */
  id?: string;
  children: (control: FieldControlProps) => ReactNode;
}

/** Label, control, hint and error of one form field: `<Field label="Make" error={e}>{(c) => <TextInput {...c} />}</Field>`. */
export function Field({ label, error, hint, required, optional, id, children }: FieldProps) {
  const madeId = useId();
  const controlId = id ?? madeId;
  const errorId = `${controlId}-error`;
  const hintId = `${controlId}-hint`;
  const described = [error ? errorId : '', hint ? hintId : ''].filter(Boolean).join(' ');
  return (
    <Box minW="0">
      <chakra.label
        htmlFor={controlId}
        display="flex"
        alignItems="center"
        gap="1.5"
        mb="1.5"
        fontSize="xs"
        fontWeight="600"
        color={error ? 'bad' : 'ink'}
      >
        {label}
        {optional ? (
          <chakra.span color="muted" fontWeight="400">
            (optional)
          </chakra.span>
        ) : null}
        {error ? <CircleAlert size={14} aria-label="error" role="img" /> : null}
      </chakra.label>
      {children({
        id: controlId,
        'aria-invalid': error !== undefined && error !== '',
        'aria-describedby': described || undefined,
        'aria-required': required || undefined,
      })}
      {error ? (
        <Flex id={errorId} mt="1.5" fontSize="xs" color="bad" fontWeight="500">
          {error}
        </Flex>
      ) : null}
      {hint ? (
        <Box id={hintId} mt="1.5" fontSize="xs" color="muted">
          {hint}
        </Box>
      ) : null}
    </Box>
  );
}
