import type { Client } from '../base/database.ts';
import { countLags } from '../domain/source-health.ts';

interface Intake {
  accepted: number;
  updated: number;
  unchanged: number;
  /** Records that were quarantined for the first time. */
  newRejects: number;
  /** The times from listed to seen of new listings. */
  lagsMs: number[];
}

/** Adds one page to the source's totals, its counts of the hour and its lags of the hour. */
export async function countIntake(client: Client, source: string, page: Intake): Promise<void> {
  const lags = countLags(page.lagsMs);
  await client.query({
    name: 'count-intake',
    text: `with hours as (
       insert into source_hours as h (source, hour, accepted, updated, unchanged, rejected)
       values ($1, date_trunc('hour', now(), 'UTC'), $2, $3, $4, $5)
       on conflict (source, hour) do update
         set accepted = h.accepted + excluded.accepted, updated = h.updated + excluded.updated,
             unchanged = h.unchanged + excluded.unchanged, rejected = h.rejected + excluded.rejected
     ), lags as (
       insert into source_lags as l (source, hour, bucket, listings)
       select $1, date_trunc('hour', now(), 'UTC'), bucket, listings
         from unnest($6::int2[], $7::int8[]) as page (bucket, listings)
       on conflict (source, hour, bucket) do update set listings = l.listings + excluded.listings
     )
     update sources set items = items + $2::int8 + $3::int8, rejects = rejects + $5::int8
      where name = $1 and $2::int8 + $3::int8 + $5::int8 > 0`,
    values: [
      source,
      page.accepted,
      page.updated,
      page.unchanged,
      page.newRejects,
      lags.map(({ bucket }) => bucket),
      lags.map(({ listings }) => listings),
    ],
  });
}
