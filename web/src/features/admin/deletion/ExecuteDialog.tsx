import { chakra } from '@chakra-ui/react';
import type { Fault } from '../../../lib/server/faults/errors.ts';
import { ConfirmDialog } from '../../../ui/parts/ConfirmDialog.tsx';
import { type DeletionRequest, requesterText } from './deletion-words.ts';

interface ExecuteDialogProps {
  request: DeletionRequest;
  onClose: () => void;
  onConfirm: () => Promise<Fault | null>;
}

/** Asks before a person's data is erased. */
export function ExecuteDialog({ request, onClose, onConfirm }: ExecuteDialogProps) {
  return (
    <ConfirmDialog
      title="Execute Deletion"
      button="Delete Data"
      acting="Deleting..."
      danger
      act={onConfirm}
      onClose={onClose}
    >
      <p>Are you sure you want to delete this user's data? This action cannot be undone.</p>
      <chakra.p mt="3" color="ink" fontWeight="600" overflowWrap="anywhere">
        {requesterText(request)}, request {request.requestId}
      </chakra.p>
    </ConfirmDialog>
  );
}
