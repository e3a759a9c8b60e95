import { chakra } from '@chakra-ui/react';
import { Eye, EyeOff } from 'lucide-react';
import { type ComponentProps, type ReactNode, useState } from 'react';
import { FormField } from '../../ui/form/FormField.tsx';
import { TextInput } from '../../ui/form/inputs.tsx';
import { Button } from '../../ui/parts/Button.tsx';
import { Tooltip } from '../../ui/parts/Tooltip.tsx';

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
      {(control) => (
        <TextInput {...control} type={type} autoComplete={autoComplete} autoCapitalize="none" spellCheck={false} />
      )}
    </FormField>
  );
}

/** A password in a Formik form. */
export function PasswordLine({ autoComplete, ...field }: LineProps) {
  return <FormField {...field}>{(control) => <PasswordInput {...control} autoComplete={autoComplete} />}</FormField>;
}

/** A password field whose text can be shown. */
function PasswordInput(props: ComponentProps<typeof TextInput>) {
  const [isShown, setIsShown] = useState(false);
  const name = isShown ? 'Hide what was typed' : 'Show what was typed';
  return (
    <chakra.div position="relative">
      <TextInput {...props} type={isShown ? 'text' : 'password'} pr="12" />
      <Tooltip text={name}>
        <Button
          variant="ghost"
          size="icon"
          position="absolute"
          right="1"
          top="50%"
          transform="translateY(-50%)"
          color="muted"
          aria-label={name}
          onClick={() => setIsShown(!isShown)}
        >
          {isShown ? <EyeOff size={18} aria-hidden /> : <Eye size={18} aria-hidden />}
        </Button>
      </Tooltip>
    </chakra.div>
  );
}

/** The new password, twice. */
export function NewPasswordLines() {
  return (
    <>
      <PasswordLine
        name="newPassword"
        label="New password"
        autoComplete="new-password"
        hint="At least 6 characters, and not a common password."
        required
      />
      <PasswordLine name="confirmPassword" label="Confirm password" autoComplete="new-password" required />
    </>
  );
}
