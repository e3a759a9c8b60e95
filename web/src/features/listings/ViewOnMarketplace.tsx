import { ArrowUpRight } from 'lucide-react';
import { useSiteFacts } from '../../lib/server/site.ts';
import { AnchorButton } from '../../ui/parts/Button.tsx';
import { useMarkViewed } from './use-mark-viewed.ts';

interface ViewOnMarketplaceProps {
  listing: { id: string; url?: string | null };
  /** Id of the element that names the car. */
  describedBy: string;
}

/** Opens the listing's own page, else the marketplace's home, and marks the listing viewed. */
export function ViewOnMarketplace({ listing, describedBy }: ViewOnMarketplaceProps) {
  const site = useSiteFacts();
  const mark = useMarkViewed(listing.id);
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
