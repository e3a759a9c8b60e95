import { ArrowUpRight } from 'lucide-react';
import { AnchorButton } from '../../ui/parts/Button.tsx';
import { useListingLink } from './use-listing-link.ts';

interface ViewOnMarketplaceProps {
  listing: { id: string; url?: string | null };
  /** Id of the element that names the car. */
  describedBy: string;
}

/** Opens the listing's own page, else the marketplace's home, and marks the listing viewed. */
export function ViewOnMarketplace({ listing, describedBy }: ViewOnMarketplaceProps) {
  const link = useListingLink(listing);
  return (
    <AnchorButton {...link} variant="outline" flexShrink={0} aria-describedby={describedBy}>
      View on Marketplace
      <ArrowUpRight size={15} aria-hidden />
    </AnchorButton>
  );
}
