import { useMutation } from '@apollo/client/react';
import { graphql } from '../../gql/gql.ts';

const MarkListingViewedDocument = graphql(`
  mutation MarkListingViewed($id: ID!) {
    markListingViewed(id: $id) {
      id
      isNew
      viewed
    }
  }
`);

/** Notes that the viewer has looked at a listing; without an id it is none of their matches, and nothing is noted. */
export function useMarkViewed(id: string | null | undefined): () => void {
  const [markViewed] = useMutation(MarkListingViewedDocument, {
    // Whoever left for the marketplace needs no word about a mark that could not be set.
    onError: () => undefined,
  });
  return () => {
    if (id == null) return;
    const seen = { __typename: 'Listing', id, isNew: false, viewed: true };
    void markViewed({ variables: { id }, optimisticResponse: { markListingViewed: seen } });
  };
}
