import { makePool, type Pool } from '../src/base/database.ts';

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
  pool.on('connect', (client) => {
    const query = client.query.bind(client) as (...values: unknown[]) => Promise<unknown>;
    client.query = (async (...values: unknown[]) => {
      if (values[0] === 'commit') {
        stop();
        await gate;
      }
      return query(...values);
    }) as never;
  });
  return { pool, stopped, letGo };
}
