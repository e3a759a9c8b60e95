import type { Pool } from '../src/base/database.ts';

/** Sends a statement, with what `query` of a connection takes. */
export type Ask = (...values: unknown[]) => Promise<unknown>;

/** Puts `wrap` around each statement of the pool's connections; it is called once a connection. */
export function wrapQueries(pool: Pool, wrap: (ask: Ask) => Ask): void {
  pool.on('connect', (client) => {
    Object.assign(client, { query: wrap(client.query.bind(client) as Ask) });
  });
}
