import { refusalWords, usualPrices } from '@lotwatch/api/price-words';
import type { ListingCard_ListingFragment } from '../../gql/graphql.ts';

/** Why similar cars can't be compared. */
export const refusalText = (reason: string): string =>
  refusalWords[reason] ??
  (reason === 'no_model' || reason === 'no_year'
    ? 'The seller states no model or year, so that there is nothing to compare.'
    : 'There is nothing to compare yet.');

/** What cars like this one are listed at, or why it can't be said; null where there is nothing to say. */
export function bandText(band: ListingCard_ListingFragment['priceBand']): string | null {
  if (!band) return null;
  const { low, middle, high, n, reason } = band;
  if (low == null || middle == null || high == null) return refusalWords[reason ?? ''] ?? null;
  return usualPrices({ low, middle, high, n });
}
