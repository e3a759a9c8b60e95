import { priceText } from '../lib/text/amounts.ts';

interface ArrivedMatch {
  distance: number;
  listing: { title: string; price?: number | null };
}

/** The announcement for screen readers about matches that arrived together. */
export function matchWords(matches: readonly ArrivedMatch[]): string {
  const [first] = matches;
  if (!first) return '';
  if (matches.length > 1) return `${matches.length} new matches`;
  return `New match: ${first.listing.title}, ${priceText(first.listing.price)}, ${Math.round(first.distance)} miles away`;
}
