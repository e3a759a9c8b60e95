import { Box, Flex } from '@chakra-ui/react';
import { appCodeSchema } from '@lotwatch/api/forms/sign-in';
import { ServerForm } from '../../../ui/form/ServerForm.tsx';
import { BusyButton, Button } from '../../../ui/parts/Button.tsx';
import { TextLine } from '../fields.tsx';

interface AppCodeFormProps {
  /** The form's name for screen readers. */
  name: string;
  hint: string;
  action: string;
  /** The button that opened the form is gone, so the field takes the focus. */
  takesFocus?: boolean;
  /** Uses the code; an error that it throws is shown. */
  onCode: (code: string) => Promise<void>;
  onCancel: () => void;
}

const empty = { code: '' };

/** Asks for a code of the authenticator app. */
export function AppCodeForm({ name, hint, action, takesFocus = false, onCode, onCancel }: AppCodeFormProps) {
  return (
    <Box maxW="320px">
      <ServerForm
        name={name}
        initial={empty}
        schema={appCodeSchema}
        takesFocus={takesFocus}
        save={({ code }) => onCode(code.trim())}
      >
        {({ isSubmitting }) => (
          <>
            <TextLine name="code" label="Code" hint={hint} autoComplete="one-time-code" required />
            <Flex gap="3" wrap="wrap">
              <BusyButton type="submit" isBusy={isSubmitting}>
                {action}
              </BusyButton>
              <Button variant="outline" onClick={onCancel}>
                Cancel
              </Button>
            </Flex>
          </>
        )}
      </ServerForm>
    </Box>
  );
}
