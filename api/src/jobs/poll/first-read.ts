import type { Pool } from '../../base/database.ts';
import type { PollSuccess } from '../../sources/record-poll.ts';
import type { OpenedSource } from './store-records.ts';

/** Whether any item of a source is stored. */
export async function hasListings(pool: Pool, source: string): Promise<boolean> {
  const { rowCount } = await pool.query('select from listings where source = $1 limit 1', [source]);
  return Boolean(rowCount);
}

/**
 * What an empty read is for the first read of a source. It may be a fault, after which the whole stock would be announced as
 * new: so a source that had items, at another address, has still to be read first, and any other counts as read when it was
 * empty twice in a row. The next read is not asked for changes, as "unchanged" would say no more.
 */
export async function doubtEmpty(
  { firstReadDone, name, cursor }: Pick<OpenedSource<unknown>, 'firstReadDone' | 'name' | 'cursor'>,
  pool: Pool,
  read: PollSuccess,
): Promise<PollSuccess> {
  if (firstReadDone || !read.isEmpty) return read;
  const complete = read.complete && cursor.wasEmpty === true && !(await hasListings(pool, name));
  return { ...read, complete, cursor: { ...read.cursor, wasEmpty: true }, etag: null, lastModified: null };
}
