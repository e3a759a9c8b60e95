import type { Queryable } from '../../src/base/database.ts';

/** SQL: columns, constraints, indexes and triggers of a table, as one text without the numbers of shards. */
const SCHEMA = `
  select regexp_replace(json_build_array(
    (select array_agg(concat_ws(' ', a.attname, format_type(a.atttypid, a.atttypmod), a.attnotnull) order by a.attname)
       from pg_attribute a where a.attrelid = t.id and a.attnum > 0 and not a.attisdropped),
    (select array_agg(concat_ws(' ', conname, pg_get_constraintdef(oid), convalidated) order by conname)
       from pg_constraint where conrelid = t.id and contype <> 'n'),
    (select array_agg(concat_ws(' ', pg_get_indexdef(indexrelid), indisvalid) order by indexrelid::regclass::text)
       from pg_index where indrelid = t.id),
    (select array_agg(tgname order by tgname) from pg_trigger where tgrelid = t.id and not tgisinternal)
  )::text, '_\\d{6,}\\M', '', 'g') as result from (select '%s'::regclass as id) t`;

/** Finds the shards and copies whose tables are not as those of the coordinator. */
export async function differingShards(db: Queryable): Promise<object[]> {
  const { rows: tables } = await db.query<{ name: string }>(
    "select logicalrelid::regclass::text as name from pg_dist_partition where partmethod = 'h' or repmodel = 't'",
  );
  const differing: object[] = [];
  for (const { name } of tables) {
    const { rows: own } = await db.query<{ result: string }>(SCHEMA.replace('%s', name));
    const { rows } = await db.query<{ shard: string; result: string }>(
      'select shardid as shard, result from run_command_on_placements($1, $2)',
      [name, SCHEMA],
    );
    const [expected] = own;
    if (rows.length === 0) differing.push({ name });
    for (const { shard, result } of rows)
      if (result !== expected?.result) differing.push({ name, shard, result, expected: expected?.result });
  }
  return differing;
}
