import { ConfirmDialog } from '../ui/parts/ConfirmDialog.tsx';

/** Asks before the bar of phones signs out. @param act signs out and reports what goes wrong */
export function LogOutDialog({ act, onClose }: { act: () => Promise<void>; onClose: () => void }) {
  return (
    <ConfirmDialog
      title="Log out of LotWatch?"
      button="Log out"
      acting="Logging out..."
      act={async () => {
        await act();
        return null;
      }}
      onClose={onClose}
    >
      Your alerts keep watching, and we still write to you. Push notifications on this device end.
    </ConfirmDialog>
  );
}
