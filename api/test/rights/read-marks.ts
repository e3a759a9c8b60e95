import type { Pool } from '../../src/base/database.ts';
import { holdsNobody, valuesThatTell } from './marked-columns.ts';

/** Types that hold no words. `uuid` is among them: all of ours are drawn at random. */
const WITHOUT_WORDS =
  /^_?(int2|int4|int8|float4|float8|numeric|bool|timestamptz|timestamp|date|time|interval|uuid|oid|cube)$/;

export interface MarkedColumns {
  /** Each column with what it holds of the person, as it would be found in a dump. */
  marks: Map<string, string[]>;
  /** Columns that are neither filled nor listed, and listed ones that are not there or filled all the same. */
  misplaced: string[];
}

/** Every column of every table that can hold words, as `table.column`. */
async function wordColumns(pool: Pool): Promise<{ table: string; column: string }[]> {
  const { rows } = await pool.query<{ table: string; column: string; type: string }>(
    `select format('%s', c.table_name) as "table", c.column_name as "column", c.udt_name as type
       from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
      where t.table_type = 'BASE TABLE' and t.table_schema not in ('pg_catalog', 'information_schema')
      order by 1, c.ordinal_position`,
  );
  return rows.filter(({ type }) => !WITHOUT_WORDS.test(type));
}

/** What each column holds of a person whose texts begin with the tag. */
export async function readMarks(pool: Pool, userId: number, tag: string): Promise<MarkedColumns> {
  const marks = new Map<string, string[]>();
  const misplaced: string[] = [];
  const listed = new Set(
    Object.entries(holdsNobody).flatMap(([table, groups]) =>
      groups.flatMap(({ columns }) => columns.split(' ').map((column) => `${table}.${column}`)),
    ),
  );
  const columns = await wordColumns(pool);
  const names = columns.map(({ table, column }) => `${table}.${column}`);
  const unknown = [...listed, ...Object.keys(valuesThatTell)].filter((name) => !names.includes(name));
  misplaced.push(...unknown.map((name) => `${name} is not there`));
  for (const { table, column } of columns) {
    const name = `${table}.${column}`;
    const text = `t."${column}"::text`;
    const told = valuesThatTell[name];
    const found = told
      ? await pool.query<{ text: string }>(
          `select distinct ${text} as text from "${table}" t where (${told.whose}) and "${column}" is not null`,
          [userId],
        )
      : await pool.query<{ text: string }>(
          `select distinct m[1] as text from "${table}" t, regexp_matches(${text}, $1, 'g') m`,
          [`(${tag}-[a-z-]+)`],
        );
    const texts = found.rows.map((row) => row.text.replace(/^\\x/, ''));
    if (texts.length > 0) marks.set(name, texts);
    if (texts.length > 0 === listed.has(name)) misplaced.push(name);
  }
  return { marks, misplaced };
}
