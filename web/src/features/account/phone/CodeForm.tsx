import { Box, Flex } from '@chakra-ui/react';
import { useEffect, useRef, useState } from 'react';
import { useNow } from '../../../lib/state/now.ts';
import { Field } from '../../../ui/form/Field.tsx';
import { TextInput } from '../../../ui/form/inputs.tsx';
import { BusyButton, Button } from '../../../ui/parts/Button.tsx';

const RESEND_MS = 30_000;
const DIGITS = 6;

interface CodeFormProps {
  isBusy: boolean;
  sentAt: number | null;
  /** Resolves with the fault of the code, or with undefined. */
  onConfirm: (code: string) => Promise<string | undefined>;
  onResend: () => void;
}

/** Asks for the texted code, and offers another one after half a minute. */
export function CodeForm({ isBusy, sentAt, onConfirm, onResend }: CodeFormProps) {
  const now = useNow(1000);
  const [code, setCode] = useState('');
  const [error, setError] = useState<string>();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (sentAt !== null) field.current?.focus();
  }, [sentAt]);
  const wait = sentAt === null ? 0 : Math.ceil((sentAt + RESEND_MS - now.getTime()) / 1000);
  const submit = async () => {
    const fault = code.length < DIGITS ? `Please enter the ${DIGITS} digits of the code` : await onConfirm(code);
    setError(fault);
    if (fault !== undefined) field.current?.focus();
  };
  return (
    <form
      noValidate
      aria-label="Confirm phone"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isBusy) void submit();
      }}
    >
      <Flex gap="3" direction={{ base: 'column', md: 'row' }} align={{ md: 'flex-start' }}>
        <Box w={{ md: '240px' }} flexShrink={0}>
          <Field label="Code from the text" error={error} hint="It works for 10 minutes.">
            {(control) => (
              <TextInput
                {...control}
                ref={field}
                name="code"
                value={code}
                inputMode="numeric"
                autoComplete="one-time-code"
                maxLength={DIGITS + 1}
                letterSpacing="0.25em"
                fontVariantNumeric="tabular-nums"
                onChange={(event) => {
                  setCode(event.currentTarget.value.replaceAll(/\D/g, '').slice(0, DIGITS));
                  setError(undefined);
                }}
              />
            )}
          </Field>
        </Box>
        <Flex gap="3" mt={{ md: '24px' }} wrap="wrap" align="center">
          <BusyButton type="submit" isBusy={isBusy}>
            Confirm Phone
          </BusyButton>
          <Button
            variant="link"
            size="text"
            fontSize="sm"
            fontVariantNumeric="tabular-nums"
            disabled={isBusy || wait > 0}
            onClick={onResend}
          >
            {wait > 0 ? `Another code in ${wait} s` : 'Send another code'}
          </Button>
        </Flex>
      </Flex>
    </form>
  );
}
