import type { Pool } from '../../base/database.ts';
import type { ItemDetails } from './ebay-row.ts';

/** The details of items that were read before, by id. */
export async function readDetails(
  pool: Pool,
  source: string,
  ids: readonly string[],
): Promise<Map<string, ItemDetails>> {
  const { rows } = await pool.query<{ id: string; details: ItemDetails }>({
    name: 'read-source-details',
    text: 'select external_id as id, details from source_details where source = $1 and external_id = any($2::text[])',
    values: [source, ids],
  });
  return new Map(rows.map(({ id, details }) => [id, details]));
}

/** Stores the details of one item, which cost a call. */
export async function keepDetails(pool: Pool, source: string, id: string, details: ItemDetails): Promise<void> {
  await pool.query({
    name: 'keep-source-details',
    text: `insert into source_details (source, external_id, details) values ($1, $2, $3)
           on conflict (source, external_id) do update set details = excluded.details, read_at = now()`,
    // PostgreSQL stores no NUL.
    values: [source, id, JSON.stringify(details).replaceAll('\\u0000', '')],
  });
}

/**
 * The newest cars on offer that lack a fact which only their details state, and whose details were not read.
 * @param skipped ids that are left out
 */
export async function idsWithoutDetails(
  pool: Pool,
  source: string,
  { skipped, most }: { skipped: readonly string[]; most: number },
): Promise<string[]> {
  const { rows } = await pool.query<{ id: string }>({
    name: 'find-ids-without-details',
    // What all reads of three days did not find has most likely ended.
    text: `select l.external_id as id from listings l
            where l.source = $1 and l.status = 'for_sale' and l.last_seen_at > now() - interval '3 days'
              and (l.model is null or l.year is null or l.mileage is null) and l.external_id <> all($2::text[])
              and not exists (select from source_details d where d.source = l.source and d.external_id = l.external_id)
            order by l.listed_at desc nulls last, l.id desc limit $3`,
    values: [source, skipped, most],
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
