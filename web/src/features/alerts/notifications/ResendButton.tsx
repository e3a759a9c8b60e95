import { useMutation } from '@apollo/client/react';
import { useState } from 'react';
import { type Fault, readFault } from '../../../lib/server/faults/errors.ts';
import { toastFault } from '../../../lib/server/faults/run-action.ts';
import { toast } from '../../../lib/state/toasts.ts';
import { holdWords } from '../../../lib/text/hold-words.ts';
import { BusyButton } from '../../../ui/parts/Button.tsx';
import { ConfirmDialog } from '../../../ui/parts/ConfirmDialog.tsx';
import { type Entry, ResendNotificationDocument } from './notification-documents.ts';
import { titleOf } from './notification-words.ts';

interface ResendButtonProps {
  entry: Entry;
  /** The account's. */
  timeZone: string;
  /** Called after it was sent again. */
  onResent: () => Promise<unknown>;
}

/** Sends the cars of a message again. For a text that may have arrived, it asks first. */
export function ResendButton({ entry, timeZone, onResent }: ResendButtonProps) {
  const [isAsking, setAsking] = useState(false);
  const [run, { loading }] = useMutation(ResendNotificationDocument);
  const isUnknown = entry.status === 'unknown';
  const resend = async (): Promise<Fault | null> => {
    try {
      const { data } = await run({ variables: { id: entry.id, evenIfTwice: isUnknown } });
      const { message = '', waiting = null } = data?.resendNotification ?? {};
      const until = waiting && holdWords(waiting, new Date(), timeZone);
      if (until) toast('Waits to be sent again', `It waits ${until}.`);
      else toast('Sent again', message);
      await onResent().catch(() => undefined);
      return null;
    } catch (error) {
      const fault = readFault(error);
      toastFault('Not sent again', fault);
      return fault;
    }
  };
  return (
    <>
      <BusyButton
        variant="link"
        size="text"
        isBusy={loading}
        aria-label={`Send again: ${titleOf(entry)}`}
        onClick={() => (isUnknown ? setAsking(true) : void resend())}
      >
        {loading ? 'Sending...' : 'Send again'}
      </BusyButton>
      {isAsking ? (
        <ConfirmDialog
          title="Send it again?"
          button="Send again"
          acting="Sending..."
          act={resend}
          onClose={() => setAsking(false)}
        >
          This text message may have arrived already. If you send it again, it can come twice, and it counts twice
          towards the texts of this month.
        </ConfirmDialog>
      ) : null}
    </>
  );
}
