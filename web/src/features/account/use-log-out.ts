import type { ApolloClient } from '@apollo/client';
import { useMutation } from '@apollo/client/react';
import { useNavigate } from 'react-router-dom';
import { graphql } from '../../gql/gql.ts';
import { readFault } from '../../lib/server/faults/errors.ts';
import { toast } from '../../lib/state/toasts.ts';
import { isLoggingOut, setViewer } from './viewer.ts';

const LogoutDocument = graphql(`
  mutation Logout {
    logout
  }
`);

/** Only where notifications are allowed there is something to end, whose code is loaded then. */
async function endPush(client: ApolloClient): Promise<void> {
  if (!('Notification' in window) || Notification.permission !== 'granted') return;
  const { unsubscribeBrowser } = await import('../../lib/server/push/unsubscribe-browser.ts');
  // Signing out must not depend on it.
  await unsubscribeBrowser(client).catch(() => undefined);
}

/** Signs out, goes to the home page and shows a toast. */
export function useLogOut(): () => Promise<void> {
  const [logOut, { client }] = useMutation(LogoutDocument);
  const navigate = useNavigate();
  return async () => {
    try {
      await endPush(client);
      await logOut();
      isLoggingOut.set(true);
      setViewer(client, null);
      await navigate('/');
      toast('Logged out', 'You have been successfully logged out.');
    } catch (error) {
      toast('Logout failed', readFault(error).message, 'destructive');
    }
  };
}
