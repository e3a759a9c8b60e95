import type { ApolloClient } from '@apollo/client';

type Work = keyof typeof import('../../lib/server/push/session-push.ts');

/** Only where notifications are allowed there is something to do, whose code is loaded then. */
async function act(work: Work, client: ApolloClient): Promise<void> {
  if (!('Notification' in window) || Notification.permission !== 'granted') return;
  const push = await import('../../lib/server/push/session-push.ts');
  await push[work](client);
}

/** Ends the push notifications of this browser before its user signs out. Signing out must not depend on it. */
export const endPush = (client: ApolloClient): Promise<void> =>
  act('unsubscribeBrowser', client).catch(() => undefined);

/** Lets the push notifications of this browser go on after its user has signed in again, as long as they are theirs. */
export const renewPush = (client: ApolloClient): Promise<void> => act('renewBrowser', client).catch(() => undefined);
