import type { Pool } from '../../base/database.ts';
import type { ItemDetails } from './ebay-row.ts';

export interface StoredDetails {
  details: ItemDetails;
  /** They may be asked for again, and hold until then. */
  isOld: boolean;
}

/** The details of items that were read before, by id. Those that could not be read are old after a day. */
export async function readDetails(
  pool: Pool,
  source: string,
  ids: readonly string[],
): Promise<Map<string, StoredDetails>> {
  const { rows } = await pool.query<StoredDetails & { id: string }>({
    name: 'read-source-details',
    text: `select external_id as id, details,
                  read_at < now() - case when details ? 'failed' then interval '1 day' else interval '90 days' end as "isOld"
             from source_details where source = $1 and external_id = any($2::text[])`,
    values: [source, ids],
  });
  return new Map(rows.map(({ id, ...stored }) => [id, stored]));
}

/** Stores the details of one item, which cost a call. @param details of texts that can be stored */
export async function keepDetails(pool: Pool, source: string, id: string, details: ItemDetails): Promise<void> {
  await pool.query({
    name: 'keep-source-details',
    text: `insert into source_details (source, external_id, details) values ($1, $2, $3)
           on conflict (source, external_id) do update set details = excluded.details, read_at = now()`,
    values: [source, id, JSON.stringify(details)],
  });
}

/**
 * The newest cars on offer that lack a fact which only their details state, and whose details were not read.
 */
export async function idsWithoutDetails(pool: Pool, source: string, most: number): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>({
    name: 'find-ids-without-details',
    // What all reads of three days did not find has most likely ended.
    text: `select l.external_id as id from listings l
            where l.source = $1 and l.status = 'for_sale' and l.last_seen_at > now() - interval '3 days'
              and (l.model is null or l.year is null or l.mileage is null)
              and not exists (select from source_details d where d.source = l.source and d.external_id = l.external_id)
            order by l.listed_at desc nulls last, l.id desc limit $2`,
    values: [source, most],
  });
  return rows.map(({ id }) => id);
}

/** Which of the ids are listings of the source. */
export async function knownIds(pool: Pool, source: string, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await pool.query<{ id: string }>({
    name: 'read-known-ids',
    text: 'select external_id as id from listings where source = $1 and external_id = any($2::text[])',
    values: [source, ids],
  });
  return new Set(rows.map(({ id }) => id));
}
