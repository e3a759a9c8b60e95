import { useApolloClient } from '@apollo/client/react';
import type { ShareAlertMutation } from '../../gql/graphql.ts';
import { runAction } from '../../lib/server/faults/run-action.ts';
import { toast } from '../../lib/state/toasts.ts';
import {
  EndSharedLinkDocument,
  ShareAlertDocument,
  SharedLinksDocument,
  ShareListingsDocument,
} from './sharing-documents.ts';

/** A new link with its address, which the page knows only now. */
export type NewLink = ShareAlertMutation['link'];

/** Makes and ends links, and fetches the list again afterwards. Addresses are never cached. */
export function useLinkActions() {
  const client = useApolloClient();
  const run = (failure: string | null, work: () => Promise<void>) =>
    runAction(failure, work, () => client.refetchQueries({ include: [SharedLinksDocument] }));
  const fetchPolicy = 'no-cache';
  return {
    shareAlert: (id: string, onMade: (link: NewLink) => void) =>
      run(null, async () => {
        const { data } = await client.mutate({ mutation: ShareAlertDocument, variables: { id }, fetchPolicy });
        if (data) onMade(data.link);
      }),
    shareListings: (ids: string[], onMade: (link: NewLink) => void) =>
      run(null, async () => {
        const { data } = await client.mutate({ mutation: ShareListingsDocument, variables: { ids }, fetchPolicy });
        if (data) onMade(data.link);
      }),
    end: (id: string) =>
      run('The link was not ended', async () => {
        await client.mutate({ mutation: EndSharedLinkDocument, variables: { id }, fetchPolicy });
        toast('Link ended', 'Whoever opens it sees nothing any more.');
      }),
  };
}
