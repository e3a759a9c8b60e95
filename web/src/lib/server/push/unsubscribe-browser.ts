import type { ApolloClient } from '@apollo/client';
import { ownSubscription, unsubscribe } from './browser-push.ts';
import { PushDocument, RemovePushDocument } from './push-documents.ts';

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
