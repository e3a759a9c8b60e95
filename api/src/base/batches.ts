import type { Queryable } from './database.ts';

/** One bounded part of a walk over a table. */
export interface Batch {
  /** Where the batch before ended; null at the beginning. */
  after: string | null;
  /** About so many rows are looked at or deleted. */
  rows: number;
}

export interface BatchResult {
  /** Where the next batch begins; null when the walk has come to its end. */
  after: string | null;
  /** How many rows left, or were changed because they are over. */
  removed: number;
}

/** A clean-up that works in batches. Each runs in a transaction of its own. */
export type BatchedCleanUp = (db: Queryable, batch?: Batch) => Promise<BatchResult>;

export const FIRST_BATCH: Batch = { after: null, rows: 5_000 };

const ROWS_A_PAGE = 50;
/** There is nothing to remember where the rows are found by an index: the first that are left are the next. */
const MORE = 'more';

/**
 * Deletes rows that an index finds in the order of `orderBy`. Rows that somebody holds are left to the next walk.
 * @param where names and expressions of ours alone, as `table` and `orderBy`
 */
export async function deleteByIndex(
  db: Queryable,
  { table, where, orderBy }: { table: string; where: string; orderBy: string },
  { rows }: Batch,
): Promise<BatchResult> {
  const { rowCount } = await db.query(
    `delete from ${table} where ctid = any(array(
       select ctid from ${table} where ${where} order by ${orderBy} limit $1 for update skip locked))`,
    [rows],
  );
  const removed = rowCount ?? 0;
  return { after: removed < rows ? null : MORE, removed };
}

/**
 * Deletes rows of a few pages of a table, for what no index finds. The position is a number of a page: it names nobody,
 * whatever the table holds. A row that an update moves behind the walk is found by the next one.
 * @param where expressions of ours alone
 */
export async function deleteByPages(
  db: Queryable,
  { table, where }: { table: string; where: string },
  { after, rows }: Batch,
): Promise<BatchResult> {
  const from = Number(after ?? 0);
  const to = from + Math.max(1, Math.floor(rows / ROWS_A_PAGE));
  const { rows: counted } = await db.query<{ removed: number; pages: number }>(
    `with gone as (
       delete from ${table} where ctid = any(array(
         select ctid from ${table} where ctid >= $1::tid and ctid < $2::tid and (${where}) for update skip locked))
       returning 1)
     select (select count(*) from gone)::int4 as removed,
            (pg_relation_size('${table}') / current_setting('block_size')::int8)::int8 as pages`,
    [`(${from},0)`, `(${to},0)`],
  );
  const { removed = 0, pages = 0 } = counted[0] ?? {};
  return { after: to < pages ? String(to) : null, removed };
}
