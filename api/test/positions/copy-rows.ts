import { join } from 'node:path';
import type { Pool } from '../../src/base/database.ts';

interface Table {
  name: string;
  columns: string;
}

/**
 * Copies all rows and numbers that identities have reached into another cluster that is migrated, as a dump and its
 * restore do: transactions there are counted from elsewhere.
 * @param folder where both servers may read and write files
 */
export async function copyRows(from: Pool, to: Pool, folder: string): Promise<void> {
  const { rows: tables } = await from.query<Table>(
    `select c.oid::regclass::text as name,
            (select string_agg(quote_ident(attname), ', ' order by attnum) from pg_attribute
              where attrelid = c.oid and attnum > 0 and not attisdropped and attgenerated = '') as columns
       from pg_class c where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' order by 1`,
  );
  const { rows: counters } = await from.query<{ name: string; last: string }>(
    `select sequencename as name, last_value::text as last from pg_sequences
      where schemaname = 'public' and last_value is not null`,
  );
  const client = await to.connect();
  try {
    await client.query('begin; set local session_replication_role = replica');
    await client.query(`truncate ${tables.map(({ name }) => name).join(', ')}`);
    for (const { name, columns } of tables) {
      const file = join(folder, name);
      await from.query(`copy ${name} (${columns}) to '${file}' (format binary)`);
      await client.query(`copy ${name} (${columns}) from '${file}' (format binary)`);
    }
    for (const { name, last } of counters) await client.query('select setval($1, $2)', [name, last]);
    await client.query('commit');
  } finally {
    client.release();
  }
}
