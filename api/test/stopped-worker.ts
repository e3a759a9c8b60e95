import { makePool, type Pool } from '../src/base/database.ts';
import { wrapQueries } from './wrap-queries.ts';

export interface StoppedWorker {
  pool: Pool;
  /** Resolves when all of a transaction was done but its commit. */
  stopped: Promise<void>;
  letGo(): void;
}

/** A worker that has searched and written, and stops before it commits until it is let go. */
export function stoppedWorker(databaseUrl: string): StoppedWorker {
  const { promise: gate, resolve: letGo } = Promise.withResolvers<void>();
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
  const pool = makePool(databaseUrl, 1);
  wrapQueries(pool, (ask) => async (...values) => {
    if (values[0] === 'commit') {
      stop();
      await gate;
    }
    return ask(...values);
  });
  return { pool, stopped, letGo };
}
