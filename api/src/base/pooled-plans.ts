import type pg from 'pg';
import { isStalePlan } from './database-fault.ts';
import { partsOf } from './writable-server.ts';

/** How often this process has met a stale plan. */
let generation = 0;

type Query = (...given: unknown[]) => unknown;

const isNamed = (query: unknown): query is { name: string; text: string } =>
  typeof query === 'object' && query !== null && 'name' in query && 'text' in query && typeof query.name === 'string';

/**
 * Makes a pool of a pooler prepare its named statements again once a migration has changed what one of them returns. A pooler
 * prepares each text once on each of its connections, for all clients, and keeps a stale plan for as long as such a connection
 * is open; so it gets another text.
 */
export function renewStalePlans(pool: pg.Pool): void {
  pool.on('connect', (client) => {
    const send = client.query.bind(client) as Query;
    partsOf(client).connection.on('errorMessage', (error: unknown) => {
      if (isStalePlan(error)) generation += 1;
    });
    const query: Query = (first, ...rest) =>
      generation > 0 && isNamed(first)
        ? send({ ...first, name: `${first.name}-${generation}`, text: `${first.text}\n-- ${generation}` }, ...rest)
        : send(first, ...rest);
    client.query = query as typeof client.query;
  });
}
