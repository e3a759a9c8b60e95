import type { Pool } from '../base/database.ts';

/** Does it for all at once; where that fails and the database is there, for each alone, so that one spoils no other. */
export async function eachAlone<T, R>(
  pool: Pool,
  items: readonly T[],
  all: (some: readonly T[]) => Promise<R[]>,
  alone: (item: T, error: unknown) => Promise<R[]>,
): Promise<R[]> {
  if (items.length === 0) return [];
  try {
    return await all(items);
  } catch (error) {
    await pool.query('select 1');
    const [only] = items;
    if (items.length === 1 && only !== undefined) return alone(only, error);
    const results: R[] = [];
    for (const item of items) results.push(...(await eachAlone(pool, [item], all, alone)));
    return results;
  }
}
