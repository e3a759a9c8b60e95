import { makePool, type Pool } from '../src/base/database.ts';

/** Sends a statement, with what `query` of a connection takes. */
export type Ask = (...values: unknown[]) => Promise<unknown>;

/** Puts `wrap` around each statement of the pool's connections; it is called once a connection. */
export function wrapQueries(pool: Pool, wrap: (ask: Ask) => Ask): void {
  pool.on('connect', (client) => {
    Object.assign(client, { query: wrap(client.query.bind(client) as Ask) });
  });
}

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
