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

/** Which of the ids are listings of the source. */
export async function knownIds(pool: Pool, source: string, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await pool.query<{ id: string }>({
    name: 'read-known-ids',
    text: 'select external_id as id from listings where source = $1 and external_id = any($2::text[])',
    values: [source, ids],
  });
  return new Set(rows.map(({ id }) => id));
}
