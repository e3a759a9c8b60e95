import { useState } from 'react';
import { Button } from '../../ui/parts/Button.tsx';
import { Dialog } from '../../ui/parts/Dialog.tsx';
import type { ApiKey } from './api-key-documents.ts';
import type { KeyActions } from './use-key-actions.ts';

interface RevokeKeyDialogProps {
  apiKey: ApiKey;
  revoke: KeyActions['revoke'];
  onClose: () => void;
}

/** Asks before a key is ended for good. */
export function RevokeKeyDialog({ apiKey, revoke, onClose }: RevokeKeyDialogProps) {
  const [isSending, setSending] = useState(false);
  const confirm = async () => {
    setSending(true);
    await revoke(apiKey);
    onClose();
  };
  return (
    <Dialog
      role="alertdialog"
      open
      onClose={onClose}
      title={`Revoke “${apiKey.name}”?`}
      action={
        <Button variant="danger" disabled={isSending} onClick={() => void confirm()}>
          Revoke Key
        </Button>
      }
    >
      Programs that use it are refused at once, and their live connections end. This can't be undone.
    </Dialog>
  );
}
