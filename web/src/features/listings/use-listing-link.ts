import { useMutation } from '@apollo/client/react';
import type { MouseEvent } from 'react';
import { graphql } from '../../gql/gql.ts';
import { readNewCounts } from '../../lib/server/new-counts.ts';

const MarkListingViewedDocument = graphql(`
  mutation MarkListingViewed($id: ID!) {
    markListingViewed(id: $id) {
      id
      isNew
      viewed
    }
  }
`);

/** Marks a listing as viewed; a listing without an id is not one of the viewer's matches and is not marked. */
function useMarkViewed(id: string | null | undefined): () => void {
  const [markViewed, { client }] = useMutation(MarkListingViewedDocument, {
    // The user has left for the marketplace, so a failure to mark is not reported.
    onError: () => undefined,
  });
  return () => {
    if (id == null) return;
    const seen = { __typename: 'Listing', id, isNew: false, viewed: true };
    void markViewed({ variables: { id }, optimisticResponse: { markListingViewed: seen } }).then(() =>
      readNewCounts(client),
    );
  };
}

/** Properties of a link that opens a listing's page, or the marketplace's home, and marks the listing as viewed. */
export function useListingLink({ id, marketplaceUrl }: { id?: string | null; marketplaceUrl: string }) {
  const markViewed = useMarkViewed(id);
  return {
    href: marketplaceUrl,
    target: '_blank',
    rel: 'noopener noreferrer',
    onClick: markViewed,
    onAuxClick: (event: MouseEvent) => {
      if (event.button === 1) markViewed();
    },
  };
}
