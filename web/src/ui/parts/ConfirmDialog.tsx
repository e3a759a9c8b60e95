import { type ReactNode, useState } from 'react';
import { type Fault, isPasswordNeeded } from '../../lib/server/faults/errors.ts';
import { BusyButton } from './Button.tsx';
import { Dialog } from './Dialog.tsx';

interface ConfirmDialogProps {
  title: string;
  children: ReactNode;
  button: string;
  /** The button's text while it acts; the same unless given. */
  acting?: string;
  danger?: boolean;
  /** @returns what went wrong, if anything did */
  act: () => Promise<Pick<Fault, 'code'> | null>;
  onClose: () => void;
}

/** Asks for a confirmation, and stays open until the action is done. */
export function ConfirmDialog({ title, children, button, acting, danger = false, act, onClose }: ConfirmDialogProps) {
  const [isActing, setActing] = useState(false);
  const confirm = async () => {
    setActing(true);
    const fault = await act();
    // After the password dialog was closed, the question is as it was before.
    if (isPasswordNeeded(fault?.code)) setActing(false);
    else onClose();
  };
  return (
    <Dialog
      role="alertdialog"
      open
      onClose={onClose}
      title={title}
      action={
        <BusyButton variant={danger ? 'danger' : 'solid'} isBusy={isActing} onClick={() => void confirm()}>
          {isActing ? (acting ?? button) : button}
        </BusyButton>
      }
    >
      {children}
    </Dialog>
  );
}
