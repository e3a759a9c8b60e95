import type { Pool } from '../../src/base/database.ts';

/** Every row of every table as text after the table's name: all that a dump of the database holds. */
export async function databaseTexts(pool: Pool): Promise<string[]> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
      where table_type = 'BASE TABLE' and table_schema not in ('pg_catalog', 'information_schema')
        and not (select relispartition from pg_class where oid = format('%I.%I', table_schema, table_name)::regclass)
      order by 1`,
  );
  const texts: string[] = [];
  for (const { name } of tables) {
    const { rows } = await pool.query<{ row: string }>(`select t::text as row from ${name} t order by 1`);
    texts.push(...rows.map(({ row }) => `${name}: ${row}`));
  }
  return texts;
}

/** The columns of every table. One with a row for each shard of a cluster names users who need not exist. */
export async function databaseColumns(pool: Pool): Promise<Map<string, string[]>> {
  const { rows } = await pool.query<{ table: string; columns: string[] }>(
    `select c.table_name as "table", array_agg(c.column_name::text order by c.ordinal_position) as columns
       from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
      where t.table_type = 'BASE TABLE' and t.table_schema = 'public' and t.table_name <> all ('{shards_here,shard_epochs,counted_shards}')
        and not (select relispartition from pg_class where oid = format('%I.%I', table_schema, table_name)::regclass)
      group by 1`,
  );
  return new Map(rows.map(({ table, columns }) => [table, columns]));
}

/** Ids of the alerts that the user has or had. */
export async function alertsOf(pool: Pool, userId: number): Promise<number[]> {
  const { rows } = await pool.query<{ id: number }>(
    'select id from alerts where user_id = $1 union select alert_id from former_alerts where user_id = $1 order by id',
    [userId],
  );
  return rows.map(({ id }) => id);
}

/** How many rows of each table refer to the user or to one of these alerts. */
export async function numberedRows(pool: Pool, userId: number, alerts: number[]): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const [table, columns] of await databaseColumns(pool)) {
    const conditions = [
      columns.includes('user_id') ? 'user_id = $1::int8' : '$1::int8 is null',
      columns.includes('alert_id') ? 'alert_id = any ($2::int8[])' : '$2::int8[] is null',
    ];
    const { rowCount } = await pool.query(`select from ${table} where ${conditions.join(' or ')}`, [userId, alerts]);
    if (rowCount) counts[table] = rowCount;
  }
  return counts;
}
