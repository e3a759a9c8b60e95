import { useApolloClient } from '@apollo/client/react';
import type { ApiScope } from '../../gql/graphql.ts';
import { runAction } from '../../lib/server/faults/run-action.ts';
import { toast } from '../../lib/state/toasts.ts';
import {
  type ApiKey,
  ApiKeysDocument,
  CreateApiKeyDocument,
  RevokeApiKeyDocument,
  RotateApiKeyDocument,
} from './api-key-documents.ts';

/** A new key with its secret, which the page knows only now. */
export interface ShownKey {
  id: string;
  name: string;
  secret: string;
}

/** Creates, rotates and revokes keys, and fetches the list again afterwards. Secrets are never cached. */
export function useKeyActions(onShown: (shown: ShownKey) => void) {
  const client = useApolloClient();
  const run = (failure: string | null, work: () => Promise<void>) =>
    runAction(failure, work, () => client.refetchQueries({ include: [ApiKeysDocument] }));
  const fetchPolicy = 'no-cache';
  const show = ({ apiKey: { id, name }, secret }: { apiKey: ApiKey; secret: string }) => onShown({ id, name, secret });
  return {
    create: (name: string, scopes: ApiScope[]) =>
      run(null, async () => {
        const variables = { name, scopes };
        const { data } = await client.mutate({ mutation: CreateApiKeyDocument, variables, fetchPolicy });
        if (data) show(data.createApiKey);
      }),
    rotate: ({ id }: ApiKey, overlapHours: number) =>
      run('The key was not replaced', async () => {
        const variables = { id, overlapHours };
        const { data } = await client.mutate({ mutation: RotateApiKeyDocument, variables, fetchPolicy });
        if (data) show(data.rotateApiKey);
      }),
    revoke: ({ id, name }: ApiKey) =>
      run('The key was not revoked', async () => {
        await client.mutate({ mutation: RevokeApiKeyDocument, variables: { id }, fetchPolicy });
        toast('Key revoked', `${name} no longer works.`);
      }),
  };
}

export type KeyActions = ReturnType<typeof useKeyActions>;
