import { useApolloClient, useQuery } from '@apollo/client/react';
import { Box, Flex } from '@chakra-ui/react';
import { Monitor, Smartphone } from 'lucide-react';
import { useState } from 'react';
import { readFault } from '../../../lib/server/faults/errors.ts';
import { runAction } from '../../../lib/server/faults/run-action.ts';
import { useFailure } from '../../../lib/server/faults/use-failure.ts';
import { useNow } from '../../../lib/state/now.ts';
import { toast } from '../../../lib/state/toasts.ts';
import { dateText, plural } from '../../../lib/text/time.ts';
import { Button } from '../../../ui/parts/Button.tsx';
import { Badge, Heading, Muted } from '../../../ui/parts/Card.tsx';
import { ConfirmDialog } from '../../../ui/parts/ConfirmDialog.tsx';
import { IconTile } from '../../../ui/parts/IconTile.tsx';
import { ListRow, ListSection, RowList } from '../../../ui/parts/sections/ListSection.tsx';
import { ErrorPanel } from '../../../ui/parts/states.tsx';
import { type Device, DevicesDocument, EndOtherSessionsDocument, EndSessionDocument } from './device-documents.ts';
import { deviceName, isHandheld, lastUsedText, signedInText } from './device-words.ts';

type OpenDialog = { what: 'one'; device: Device } | { what: 'others' } | null;

/** Where the viewer is signed in, and signing out there. */
export function DeviceList() {
  const result = useQuery(DevicesDocument, { fetchPolicy: 'cache-and-network' });
  const error = useFailure(result);
  const [open, setOpen] = useState<OpenDialog>(null);
  const devices = result.data?.sessions;
  if (!devices && error) {
    return (
      <ErrorPanel title="Your devices could not be loaded" onRetry={() => result.refetch()}>
        {readFault(error).message}
      </ErrorPanel>
    );
  }
  const hasOthers = devices?.some(({ isCurrent }) => !isCurrent) ?? false;
  // The action may end when another dialog is open.
  const close = () => setOpen((now) => (now === open ? null : now));
  return (
    <>
      <ListSection
        id="devices"
        title="Where you are signed in"
        about="A device is signed out after 30 days without use, and 90 days after you signed in on it."
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

function Dialogs({ open, onClose }: { open: OpenDialog; onClose: () => void }) {
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
        You stay signed in here. Your shared links end. If one of them isn't yours, change your password as well.
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
      This takes effect immediately. If this device isn't yours, change your password as well.
    </ConfirmDialog>
  );
}

/** Signs devices out; afterwards the list is fetched again. */
function useDeviceActions() {
  const client = useApolloClient();
  const run = (failure: string, work: () => Promise<void>) =>
    runAction(failure, work, () => client.refetchQueries({ include: [DevicesDocument] }));
  const fetchPolicy = 'no-cache';
  return {
    signOut: (device: Device) =>
      run('The device was not signed out', async () => {
        await client.mutate({ mutation: EndSessionDocument, variables: { id: device.id }, fetchPolicy });
        toast('Device signed out', `${deviceName(device)} is signed out.`);
      }),
    signOutOthers: () =>
      run('The devices were not signed out', async () => {
        const { data } = await client.mutate({ mutation: EndOtherSessionsDocument, fetchPolicy });
        const count = data?.endOtherSessions ?? 0;
        toast('Devices signed out', `${plural(count, 'other device')} ${count === 1 ? 'is' : 'are'} signed out.`);
      }),
  };
}

/** A browser in which the viewer is signed in. The current one has no button, because Logout signs it out. */
function DeviceRow({ device, onSignOut }: { device: Device; onSignOut: () => void }) {
  const now = useNow(60_000);
  const Icon = isHandheld(device) ? Smartphone : Monitor;
  return (
    <ListRow sided>
      <Flex flex="1" minW="0" gap="4" align="flex-start">
        <IconTile>
          <Icon size={20} aria-hidden />
        </IconTile>
        <Box minW="0">
          <Flex columnGap="2.5" rowGap="1" align="center" wrap="wrap">
            <Heading as="h3" size="sm" overflowWrap="anywhere">
              {deviceName(device)}
            </Heading>
            {device.isCurrent ? <Badge tone="brand">This device</Badge> : null}
          </Flex>
          <Muted mt="1" display="flex" columnGap="3" flexWrap="wrap">
            <span>{lastUsedText(device, now)}</span>
            <span title={dateText(device.signedInAt)}>{signedInText(device, now)}</span>
          </Muted>
        </Box>
      </Flex>
      {device.isCurrent ? null : (
        <Flex flexShrink={0}>
          <Button variant="outline" size="sm" aria-label={`Sign out ${deviceName(device)}`} onClick={onSignOut}>
            Sign Out
          </Button>
        </Flex>
      )}
    </ListRow>
  );
}
