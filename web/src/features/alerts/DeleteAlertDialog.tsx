import { Button } from '../../ui/parts/Button.tsx';
import { Dialog } from '../../ui/parts/Dialog.tsx';
import { useDeleteAlert } from './use-alert-actions.ts';

interface DeleteAlertDialogProps {
  alertId: string;
  open: boolean;
  onClose: () => void;
  onDeleted: () => void;
}

/** Asks before an alert is deleted. */
export function DeleteAlertDialog({ alertId, open, onClose, onDeleted }: DeleteAlertDialogProps) {
  const { remove, isDeleting } = useDeleteAlert();
  const confirm = async () => {
    const isGone = await remove(alertId);
    onClose();
    if (isGone) onDeleted();
  };
  return (
    <Dialog
      role="alertdialog"
      open={open}
      onClose={onClose}
      title="Delete Alert"
      action={
        <Button variant="danger" disabled={isDeleting} onClick={() => void confirm()}>
          Delete
        </Button>
      }
    >
      Are you sure you want to delete this alert? This action cannot be undone.
    </Dialog>
  );
}
