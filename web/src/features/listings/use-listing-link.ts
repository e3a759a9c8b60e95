import { useMutation } from '@apollo/client/react';
import type { MouseEvent } from 'react';
import { graphql } from '../../gql/gql.ts';
import { useSiteFacts } from '../../lib/server/site.ts';
import { dropNewMatches } from '../../lib/state/new-matches.ts';

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
function useMarkViewed(id: string | null | undefined): () => void {
  const [markViewed] = useMutation(MarkListingViewedDocument, {
    // Whoever left for the marketplace needs no word about a mark that could not be set.
    onError: () => undefined,
  });
  return () => {
    if (id == null) return;
    dropNewMatches({ listingId: id });
    const seen = { __typename: 'Listing', id, isNew: false, viewed: true };
    void markViewed({ variables: { id }, optimisticResponse: { markListingViewed: seen } });
  };
}

/** A seller's address is followed only on the web, whatever stands in the row. */
function webAddress(url: string | null | undefined): string | undefined {
  return url && /^https?:\/\//i.test(url) ? url : undefined;
}

/** What a link needs that opens a listing's own page, else the marketplace's home, and marks the listing viewed. */
export function useListingLink({ id, url }: { id?: string | null; url?: string | null }) {
  const site = useSiteFacts();
  const markViewed = useMarkViewed(id);
  return {
    href: webAddress(url) ?? site?.marketplaceHome ?? '/',
    target: '_blank',
    rel: 'noopener noreferrer',
    onClick: markViewed,
    onAuxClick: (event: MouseEvent) => {
      if (event.button === 1) markViewed();
    },
  };
}
