import { useQuery } from '@apollo/client/react';
import { useState } from 'react';
import { readFault } from '../../../lib/server/faults/errors.ts';
import { useFailure } from '../../../lib/server/faults/use-failure.ts';
import { Button } from '../../../ui/parts/Button.tsx';
import { ConfirmDialog } from '../../../ui/parts/ConfirmDialog.tsx';
import { ListSection, RowList } from '../../../ui/parts/sections/ListSection.tsx';
import { ErrorPanel } from '../../../ui/parts/states.tsx';
import { DeviceRow } from './DeviceRow.tsx';
import { type Device, DevicesDocument } from './device-documents.ts';
import { deviceName } from './device-words.ts';
import { useDeviceActions } from './use-device-actions.ts';

type Asked = { what: 'one'; device: Device } | { what: 'others' } | null;

/** Where the viewer is signed in, and signing out there. */
export function DeviceList() {
  const asked = useQuery(DevicesDocument, { fetchPolicy: 'cache-and-network' });
  const error = useFailure(asked);
  const [open, setOpen] = useState<Asked>(null);
  const devices = asked.data?.sessions;
  if (!devices && error) {
    return (
      <ErrorPanel title="Your devices could not be loaded" onRetry={() => asked.refetch()}>
        {readFault(error).message}
      </ErrorPanel>
    );
  }
  const hasOthers = devices?.some(({ isCurrent }) => !isCurrent) ?? false;
  // What is done may end when another dialog is open.
  const close = () => setOpen((now) => (now === open ? null : now));
  return (
    <>
      <ListSection
        id="devices"
        title="Where you are signed in"
        about="A device is signed out after 30 days without use, and 90 days after you signed in there."
        loading="Loading your devices"
        action={
          <Button variant="outline" disabled={!hasOthers} onClick={() => setOpen({ what: 'others' })}>
            Sign Out All Others
          </Button>
        }
      >
        {devices ? (
          <RowList>
            {devices.map((device) => (
              <DeviceRow key={device.id} device={device} onSignOut={() => setOpen({ what: 'one', device })} />
            ))}
          </RowList>
        ) : undefined}
      </ListSection>
      <Dialogs open={open} onClose={close} />
    </>
  );
}

function Dialogs({ open, onClose }: { open: Asked; onClose: () => void }) {
  const { signOut, signOutOthers } = useDeviceActions();
  if (!open) return null;
  if (open.what === 'others') {
    return (
      <ConfirmDialog
        title="Sign out all other devices?"
        button="Sign Out All Others"
        acting="Signing out..."
        danger
        act={signOutOthers}
        onClose={onClose}
      >
        You stay signed in here. If one of them isn't yours, change your password as well.
      </ConfirmDialog>
    );
  }
  return (
    <ConfirmDialog
      title={`Sign out ${deviceName(open.device)}?`}
      button="Sign Out"
      acting="Signing out..."
      danger
      act={() => signOut(open.device)}
      onClose={onClose}
    >
      It takes effect at once. If this device isn't yours, change your password as well.
    </ConfirmDialog>
  );
}
