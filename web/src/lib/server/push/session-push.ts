import type { ApolloClient } from '@apollo/client';
import { ownSubscription, subscribe, unsubscribe } from './browser-push.ts';
import { AddPushDocument, PushDocument, RemovePushDocument } from './push-documents.ts';

/** Ends the push notifications of this browser before its user signs out, as somebody else may use it then. */
export async function unsubscribeBrowser(client: ApolloClient): Promise<void> {
  const own = await ownSubscription();
  if (!own) return;
  // The push service refuses messages to the browser from now on, also where the server can't be reached.
  await unsubscribe();
  const { data } = await client.query({ query: PushDocument, fetchPolicy: 'network-only' });
  const device = data?.pushSubscriptions.find(({ mark }) => mark === own.mark);
  if (device) await client.mutate({ mutation: RemovePushDocument, variables: { id: device.id } });
}

/**
 * Lets the push notifications of this browser go on in the session of a user who has just signed in. If they were somebody
 * else's, or have ended while the browser was signed out, it leaves its push service.
 */
export async function renewBrowser(client: ApolloClient): Promise<void> {
  const own = await ownSubscription();
  if (!own) return;
  const { data } = await client.query({ query: PushDocument, fetchPolicy: 'network-only' });
  if (!data) return;
  const isListed = own.key === data.pushKey && data.pushSubscriptions.some(({ mark }) => mark === own.mark);
  if (isListed) await client.mutate({ mutation: AddPushDocument, variables: { input: await subscribe(own.key) } });
  else await unsubscribe();
}
