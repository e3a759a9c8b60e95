import { useMutation } from '@apollo/client/react';
import { ArrowUpRight } from 'lucide-react';
import { graphql } from '../../gql/gql.ts';
import { useSiteFacts } from '../../lib/server/site.ts';
import { AnchorButton } from '../../ui/parts/Button.tsx';

const MarkListingViewedDocument = graphql(`
  mutation MarkListingViewed($id: ID!) {
    markListingViewed(id: $id) {
      id
      isNew
      viewed
    }
  }
`);

interface ViewOnMarketplaceProps {
  listing: { id: string; url?: string | null };
  /** Id of the element that names the car. */
  describedBy: string;
}

/** Opens the listing's own page, else the marketplace's home, and marks the listing viewed. */
export function ViewOnMarketplace({ listing, describedBy }: ViewOnMarketplaceProps) {
  const site = useSiteFacts();
  const seen = { __typename: 'Listing', id: listing.id, isNew: false, viewed: true };
  const [markViewed] = useMutation(MarkListingViewedDocument, {
    variables: { id: listing.id },
    optimisticResponse: { markListingViewed: seen },
    // Whoever left for the marketplace needs no word about a mark that could not be set.
    onError: () => undefined,
  });
  const mark = () => void markViewed();
  return (
    <AnchorButton
      href={listing.url ?? site?.marketplaceHome ?? '/'}
      target="_blank"
      rel="noopener noreferrer"
      variant="outline"
      flexShrink={0}
      aria-describedby={describedBy}
      onClick={mark}
      onAuxClick={(event) => event.button === 1 && mark()}
    >
      View on Marketplace
      <ArrowUpRight size={15} aria-hidden />
    </AnchorButton>
  );
}
