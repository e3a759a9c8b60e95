import type { Pool } from '../base/database.ts';

/**
 * Answers single questions in batches: all that are asked while one batch is under way go into the next.
 * @param all answers in the order of the items; what it throws is thrown to each who asked
 */
export function makeBatcher<T, R>(all: (items: readonly T[]) => Promise<readonly R[]>): (item: T) => Promise<R> {
  let waiting: T[] = [];
  let next: Promise<readonly R[]> | undefined;
  let current: Promise<unknown> = Promise.resolve();

  return async (item) => {
    const at = waiting.push(item) - 1;
    next ??= current.then(() => {
      const items = waiting;
      waiting = [];
      next = undefined;
      const answering = all(items);
      current = answering.catch(() => {});
      return answering;
    });
    const answers = await next;
    return answers[at] as R;
  };
}

/**
 * Does the work for all items at once. Where that fails although the database answers, it is done for each item alone, so
 * that one faulty item spoils no other. @throws what fails while the database is away
 */
export async function isolateFaults<T, R>(
  pool: Pool,
  items: readonly T[],
  all: (some: readonly T[]) => Promise<R[]>,
  faulty: (item: T, error: unknown) => Promise<R[]>,
): Promise<R[]> {
  if (items.length === 0) return [];
  try {
    return await all(items);
  } catch (error) {
    await pool.query('select 1');
    const [only] = items;
    if (items.length === 1 && only !== undefined) return faulty(only, error);
    const results: R[] = [];
    for (const item of items) results.push(...(await isolateFaults(pool, [item], all, faulty)));
    return results;
  }
}
