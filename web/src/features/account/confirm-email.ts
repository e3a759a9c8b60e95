import type { ApolloClient } from '@apollo/client';
import { graphql } from '../../gql/gql.ts';
import { refreshViewer } from './viewer.ts';

const ConfirmEmailDocument = graphql(`
  mutation ConfirmEmail($token: String!) {
    confirmEmail(token: $token) {
      message
    }
  }
`);

/** A link is good once, and React's strict mode mounts twice: one call a token. */
const calls = new Map<string, Promise<string>>();

/** Confirms the address behind a mailed link; resolves to what the server says, and refreshes who is signed in. */
export function confirmEmail(client: ApolloClient, token: string): Promise<string> {
  const known = calls.get(token);
  if (known) return known;
  const call = client.mutate({ mutation: ConfirmEmailDocument, variables: { token } }).then(async ({ data }) => {
    await refreshViewer(client);
    return data?.confirmEmail.message ?? '';
  });
  calls.set(token, call);
  call.catch(() => calls.delete(token));
  return call;
}
