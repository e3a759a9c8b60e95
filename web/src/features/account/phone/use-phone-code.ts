import { useApolloClient, useMutation } from '@apollo/client/react';
import { useState } from 'react';
import { readFault, wholeRefusal } from '../../../lib/server/faults/errors.ts';
import { toastFault } from '../../../lib/server/faults/toast-fault.ts';
import { toast } from '../../../lib/state/toasts.ts';
import { ConfirmPhoneDocument, PhoneTextsDocument, SendPhoneCodeDocument } from './phone-documents.ts';

interface PhoneCode {
  /** Texts a code, and says so. */
  send: () => Promise<void>;
  /** What is wrong with the code; undefined when nothing is. */
  confirm: (code: string) => Promise<string | undefined>;
  isBusy: boolean;
  /** When a code last left from this page, in milliseconds since 1970. */
  sentAt: number | null;
}

/** Confirms the viewer's phone by a code. */
export function usePhoneCode(): PhoneCode {
  const client = useApolloClient();
  const [sendCode, sending] = useMutation(SendPhoneCodeDocument);
  const [confirmCode, confirming] = useMutation(ConfirmPhoneDocument);
  const [sentAt, setSentAt] = useState<number | null>(null);
  const send = async () => {
    try {
      const { data } = await sendCode();
      setSentAt(Date.now());
      toast('Code sent', data?.sendPhoneCode.message);
    } catch (error) {
      toastFault('No code was sent', readFault(error));
    }
    await client.query({ query: PhoneTextsDocument, fetchPolicy: 'network-only' }).catch(() => undefined);
  };
  const confirm = async (code: string) => {
    try {
      await confirmCode({ variables: { code } });
      toast('Phone confirmed', 'Tick "Text notifications" in an alert to get its matches as texts.');
      return undefined;
    } catch (error) {
      const fault = readFault(error);
      return fault.fields.code ?? wholeRefusal(fault);
    }
  };
  return { send, confirm, isBusy: sending.loading || confirming.loading, sentAt };
}
