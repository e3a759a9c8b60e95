/**
 * When a listing, by its alias, was last shown by its source. A feed shows all its cars in each complete read, so the
 * read says it for every car that it did not miss: the rows themselves note it about once a day.
 */
export const lastSeen = (listing: string): string => `greatest(${listing}.last_seen_at, (
  select f.last_success_at from sources f
   where f.name = ${listing}.source and f.kind = 'vehicle-feed'
     and ${listing}.missed_reads = 0 and ${listing}.status in ('for_sale', 'pending')))`;
