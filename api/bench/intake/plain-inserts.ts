import type { Pool } from '../../src/base/database.ts';

export interface Limit {
  what: string;
  itemsPerSecond: number;
}

/**
 * The rows that a run stored once more, as INSERT … SELECT into tables like theirs with all indexes, in as many
 * transactions: what is left when nothing is read, looked for or matched.
 */
export async function timePlainInserts(pool: Pool, source: string, items: number, itemsABody: number): Promise<Limit> {
  const tables = ['listings', 'price_changes', 'matches', 'notifications'] as const;
  const client = await pool.connect();
  try {
    for (const table of tables) await client.query(`create table plain_${table} (like ${table} including all)`);
    const { rows } = await client.query<{ first: number; last: number }>(
      'select min(id) as first, max(id) as last from listings where source = $1',
      [source],
    );
    const { first, last } = rows[0] ?? { first: 0, last: 0 };
    await client.query('checkpoint');
    const bodies = Math.ceil(items / itemsABody);
    const width = Math.ceil((last - first + 1) / bodies);
    const start = performance.now();
    for (let from = first; from <= last; from += width) {
      await client.query('begin');
      for (const table of tables) {
        const column = table === 'listings' ? 'id' : 'listing_id';
        const given = table === 'listings' || table === 'notifications' ? 'overriding system value ' : '';
        const names = await columnsOf(client, table);
        await client.query(
          `insert into plain_${table} (${names}) ${given}select ${names} from ${table} where ${column} >= ${from} and ${column} < ${from + width}`,
        );
      }
      await client.query('commit');
    }
    const itemsPerSecond = Math.round((items * 1_000) / (performance.now() - start));
    return { what: 'INSERT … SELECT of the same rows into such tables, in as many commits', itemsPerSecond };
  } finally {
    client.release();
  }
}

const known = new Map<string, string>();
async function columnsOf(client: { query: Pool['query'] }, table: string): Promise<string> {
  const before = known.get(table);
  if (before !== undefined) return before;
  const { rows } = await client.query<{ names: string }>(
    `select string_agg(quote_ident(attname), ', ' order by attnum) as names from pg_attribute
      where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
    [table],
  );
  const names = rows[0]?.names ?? '';
  known.set(table, names);
  return names;
}
