import { useApolloClient, useQuery } from '@apollo/client/react';
import { useEffect, useState } from 'react';
import { announce } from '../../state/announce.ts';
import { toast } from '../../state/toasts.ts';
import { readFault } from '../faults/errors.ts';
import { runAction } from '../faults/run-action.ts';
import { useFailure } from '../faults/use-failure.ts';
import { type OwnSubscription, ownSubscription, pushAbility, subscribe, unsubscribe } from './browser-push.ts';
import { AddPushDocument, PushDocument, RemovePushDocument } from './push-documents.ts';

/** Whether this browser gets push notifications. */
export type PushState = 'loading' | 'unsupported' | 'blocked' | 'off' | 'on';

function stateOf(ability: ReturnType<typeof pushAbility>, isKnown: boolean, isListed: boolean): PushState {
  if (ability !== 'possible') return ability;
  if (!isKnown) return 'loading';
  return isListed ? 'on' : 'off';
}

/** The push notifications of this browser, and the list of all browsers of the viewer. */
export function usePush() {
  const client = useApolloClient();
  const result = useQuery(PushDocument, { fetchPolicy: 'cache-and-network' });
  const error = useFailure(result);
  const [ability, setAbility] = useState(pushAbility);
  const [own, setOwn] = useState<OwnSubscription | null>();
  const [isBusy, setIsBusy] = useState(false);
  const { pushKey, pushSubscriptions: devices } = result.data ?? {};

  useEffect(() => {
    let isShown = true;
    void ownSubscription()
      .catch(() => null)
      .then((found) => isShown && setOwn(found));
    return () => {
      isShown = false;
    };
  }, []);

  async function readAgain(): Promise<void> {
    setAbility(pushAbility());
    setOwn(await ownSubscription().catch(() => null));
    await client.refetchQueries({ include: [PushDocument] });
  }

  const ownDevice = own && own.key === pushKey ? devices?.find(({ mark }) => mark === own.mark) : undefined;
  const isKnown = own !== undefined && devices !== undefined;
  const state = stateOf(ability, isKnown, ownDevice !== undefined);

  async function act(failure: string, work: () => Promise<void>): Promise<void> {
    setIsBusy(true);
    await runAction(failure, work, readAgain);
    setIsBusy(false);
  }
  const remove = (id: string) => client.mutate({ mutation: RemovePushDocument, variables: { id } });

  return {
    state,
    error: devices ? undefined : error && readFault(error).message,
    devices: devices ?? [],
    /** The viewer's browsers but this one. */
    others: devices?.filter(({ id }) => id !== ownDevice?.id) ?? [],
    isBusy,
    readAgain,
    /** Asks for the permission. Call it from a press, as browsers refuse to ask otherwise. */
    async turnOn(): Promise<void> {
      if (!pushKey) return;
      setIsBusy(true);
      const permission = await Notification.requestPermission();
      if (permission !== 'granted') {
        setAbility(pushAbility());
        setIsBusy(false);
        const advice =
          permission === 'denied'
            ? 'Your browser now blocks notifications from LotWatch. Allow them in the settings of this site, beside the address.'
            : 'The question of your browser was closed. Press the button again, and choose Allow.';
        toast('Push notifications are still off', advice, 'notice');
        return;
      }
      await act('Push notifications are still off', async () => {
        const input = await subscribe(pushKey).catch((cause: unknown) => {
          throw new Error('Your browser could not reach its push service. Please try again later.', { cause });
        });
        await client.mutate({ mutation: AddPushDocument, variables: { input } });
        toast('Push notifications are on', 'This device shows each message of the alerts that send them.');
      });
    },
    turnOff: () =>
      act('Push notifications are still on', async () => {
        if (ownDevice) await remove(ownDevice.id);
        await unsubscribe();
      }),
    removeDevice: (id: string) =>
      act('The device was not removed', async () => {
        await remove(id);
        announce('The device was removed.');
      }),
  };
}
