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

/** A key at the only time at which its secret is known here. */
export interface ShownKey {
  name: string;
  secret: string;
}

/** Making, replacing and ending keys; afterwards the list is asked for anew. Secrets never come into the cache. */
export function useKeyActions(onShown: (shown: ShownKey) => void) {
  const client = useApolloClient();
  const run = (failure: string, work: () => Promise<void>) =>
    runAction(failure, work, () => client.refetchQueries({ include: [ApiKeysDocument] }));
  const fetchPolicy = 'no-cache';
  return {
    create: (name: string, scopes: ApiScope[]) =>
      run('The key was not made', async () => {
        const variables = { name, scopes };
        const { data } = await client.mutate({ mutation: CreateApiKeyDocument, variables, fetchPolicy });
        if (data) onShown({ name: data.createApiKey.apiKey.name, secret: data.createApiKey.secret });
      }),
    rotate: ({ id }: ApiKey, overlapHours: number) =>
      run('The key was not replaced', async () => {
        const variables = { id, overlapHours };
        const { data } = await client.mutate({ mutation: RotateApiKeyDocument, variables, fetchPolicy });
        if (data) onShown({ name: data.rotateApiKey.apiKey.name, secret: data.rotateApiKey.secret });
      }),
    revoke: ({ id, name }: ApiKey) =>
      run('The key was not revoked', async () => {
        await client.mutate({ mutation: RevokeApiKeyDocument, variables: { id }, fetchPolicy });
        toast('Key revoked', `${name} opens nothing any more.`);
      }),
  };
}

export type KeyActions = ReturnType<typeof useKeyActions>;
