import { useApolloClient } from '@apollo/client/react';
import { runAction } from '../../../lib/server/faults/run-action.ts';
import { toast } from '../../../lib/state/toasts.ts';
import { plural } from '../../../lib/text/time.ts';
import { type Device, DevicesDocument, EndOtherSessionsDocument, EndSessionDocument } from './device-documents.ts';
import { deviceName } from './device-words.ts';

/** Signing devices out; afterwards the list is asked for anew. */
export function useDeviceActions() {
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
