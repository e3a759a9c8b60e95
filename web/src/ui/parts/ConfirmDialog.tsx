import { type ReactNode, useState } from 'react';
import { Button } from './Button.tsx';
import { Dialog } from './Dialog.tsx';

interface ConfirmDialogProps {
  title: string;
  children: ReactNode;
  button: string;
  /** The button while it acts; the same unless told. */
  acting?: string;
  danger?: boolean;
  act: () => Promise<unknown>;
  onClose: () => void;
}

/** Asks before something is done, and stays until it is. */
export function ConfirmDialog({ title, children, button, acting, danger = false, act, onClose }: ConfirmDialogProps) {
  const [isActing, setActing] = useState(false);
  const confirm = async () => {
    setActing(true);
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
        <Button
          variant={danger ? 'danger' : 'solid'}
          // Disabled, it would lose the focus.
          aria-disabled={isActing}
          aria-busy={isActing}
          onClick={() => (isActing ? undefined : void confirm())}
        >
          {isActing ? (acting ?? button) : button}
        </Button>
      }
    >
      {children}
    </Dialog>
  );
}
