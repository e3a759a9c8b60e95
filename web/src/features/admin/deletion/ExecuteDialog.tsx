import { chakra } from '@chakra-ui/react';
import { useState } from 'react';
import { Button } from '../../../ui/parts/Button.tsx';
import { Dialog } from '../../../ui/parts/Dialog.tsx';
import { type DeletionRequest, requesterText } from './deletion-words.ts';

interface ExecuteDialogProps {
  request: DeletionRequest;
  onClose: () => void;
  onConfirm: () => Promise<unknown>;
}

/** Asks before a person's data is erased. */
export function ExecuteDialog({ request, onClose, onConfirm }: ExecuteDialogProps) {
  const [isBusy, setBusy] = useState(false);
  const confirm = async () => {
    setBusy(true);
    await onConfirm();
    onClose();
  };
  return (
    <Dialog
      role="alertdialog"
      open
      onClose={onClose}
      title="Execute Deletion"
      action={
        <Button variant="danger" disabled={isBusy} onClick={() => void confirm()}>
          {isBusy ? 'Deleting...' : 'Delete Data'}
        </Button>
      }
    >
      <p>Are you sure you want to delete this user's data? This action cannot be undone.</p>
      <chakra.p mt="3" color="ink" fontWeight="600" overflowWrap="anywhere">
        {requesterText(request)}, request {request.requestId}
      </chakra.p>
    </Dialog>
  );
}
