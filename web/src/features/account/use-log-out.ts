import { useMutation } from '@apollo/client/react';
import { useNavigate } from 'react-router-dom';
import { graphql } from '../../gql/gql.ts';
import { readFault } from '../../lib/server/faults/errors.ts';
import { toast } from '../../lib/state/toasts.ts';
import { endPush } from './session-push.ts';
import { isLoggingOut, setViewer } from './viewer.ts';

const LogoutDocument = graphql(`
  mutation Logout {
    logout
  }
`);

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
      void navigate('/');
      toast('Logged out', 'You have been successfully logged out.');
    } catch (error) {
      toast('Logout failed', readFault(error).message, 'destructive');
    }
  };
}
