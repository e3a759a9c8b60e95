import { wholeKinds } from '../domain/whole-sources.ts';

/** An SQL expression: whether each read of a source has all there is, as `isWholeSource`. */
export const isWhole = (source: string): string =>
  `(${source}.kind in (${wholeKinds.map((kind) => `'${kind}'`).join(', ')}) or ${source}.settings ->> 'order' = 'whole')`;

/**
 * An SQL expression: when the source last showed a listing, given by its alias. A complete read of a feed shows all its
 * cars, so that its time counts for every car that it did not miss; the rows themselves are updated about once a day.
 */
export const lastSeen = (listing: string): string => `greatest(${listing}.last_seen_at, (
  select f.last_success_at from sources f
   where f.name = ${listing}.source and ${isWhole('f')}
     and ${listing}.missed_reads = 0 and ${listing}.status in ('for_sale', 'pending')))`;
