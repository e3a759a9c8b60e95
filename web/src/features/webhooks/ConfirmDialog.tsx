import { type ReactNode, useState } from 'react';
import { Button } from '../../ui/parts/Button.tsx';
import { Dialog } from '../../ui/parts/Dialog.tsx';

interface ConfirmDialogProps {
  title: string;
  children: ReactNode;
  button: string;
  danger?: boolean;
  act: () => Promise<unknown>;
  onClose: () => void;
}

/** Asks before something that can't be taken back. */
export function ConfirmDialog({ title, children, button, danger = false, act, onClose }: ConfirmDialogProps) {
  const [isSending, setSending] = useState(false);
  const confirm = async () => {
    setSending(true);
    await act();
    onClose();
  };
  return (
    <Dialog
      role="alertdialog"
      open
      onClose={onClose}
      title={title}
      action={
        <Button variant={danger ? 'danger' : 'solid'} disabled={isSending} onClick={() => void confirm()}>
          {button}
        </Button>
      }
    >
      {children}
    </Dialog>
  );
}
