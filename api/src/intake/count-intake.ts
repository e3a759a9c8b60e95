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
  /** The ids of the records that were stored; none where they came from the quarantine. */
  externalIds: string[];
}

/**
 * Records of stored listings that were quarantined before. Of two records with one id in a feed the second is rejected at
 * each read, so that it stays. What another transaction has locked is left to it. The first condition costs nothing where
 * the source has nothing in quarantine; without its order the planner reads the whole table for it.
 */
const overtaken = `
  select id from quarantine
   where (select true from quarantine where source = $1 order by code limit 1)
     and source = $1 and external_id = any($8::text[]) and last_seen_at < now() and code <> 'DUPLICATE_ID'
     for update skip locked`;

/**
 * Adds one page to the source's totals, its counts of the hour and its lags of the hour, and removes from the quarantine
 * what its records have overtaken.
 */
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
     ), overtaken as (
       delete from quarantine where id = any(array(${overtaken}))
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
      page.externalIds,
    ],
  });
}
