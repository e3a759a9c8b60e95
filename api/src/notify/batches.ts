import DataLoader from 'dataloader';
import type { Pool } from '../base/database.ts';
import type { Log } from '../base/log.ts';
import { isNotSendable } from './restored/running-server.ts';

/**
 * Handles single calls in batches: all calls during one batch become the next batch.
 * @param all returns results in the order of the items; its error is thrown to every caller of the batch
 */
export function makeBatcher<T, R>(all: (items: readonly T[]) => Promise<readonly R[]>): (item: T) => Promise<R> {
  let current: Promise<unknown> = Promise.resolve();
  const loader = new DataLoader<T, R>(
    (items) => {
      const running = all(items);
      current = running.catch(() => {});
      return running;
    },
    { cache: false, batchScheduleFn: (dispatch) => void current.then(dispatch) },
  );
  return (item) => loader.load(item);
}

/**
 * Handles all items at once. Where that fails although the database answers, it logs why and handles each item alone, so
 * that a faulty item does not affect the others. @throws any error while the database is away or messages are held
 */
export async function isolateFaults<T, R>(
  parts: { pool: Pool; log: Log },
  items: readonly T[],
  all: (some: readonly T[]) => Promise<R[]>,
  faulty: (item: T, error: unknown) => Promise<R[]>,
): Promise<R[]> {
  if (items.length === 0) return [];
  try {
    return await all(items);
  } catch (error) {
    if (isNotSendable(error)) throw error;
    await parts.pool.query('select 1');
    const [only] = items;
    if (items.length === 1 && only !== undefined) return faulty(only, error);
    parts.log.warn('messages are handled one by one, as all at once failed', { messages: items.length, error });
    const results: R[] = [];
    for (const item of items) results.push(...(await isolateFaults(parts, [item], all, faulty)));
    return results;
  }
}
