import type { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import type pg from 'pg';
import { READ_ONLY } from './database-fault.ts';

/** Members of the client of `pg` that its types leave out. */
interface ClientParts {
  /** undefined before the server is ready for the first time. */
  readyForQuery?: boolean;
  /** Emits the server's messages by their names in the protocol. */
  connection: EventEmitter & { stream: Socket };
  end(): Promise<void>;
}

const hasClientParts = (client: object): client is ClientParts => 'connection' in client;

export function partsOf(client: object): ClientParts {
  if (hasClientParts(client)) return client;
  throw new Error('The client of pg has no member "connection".');
}

/** How long the check of a new connection may take. */
const CHECK_TIMEOUT_MS = 10_000;
/** While a server stays read-only, a pool drops its idle connections at most this often. */
const DROP_EVERY_MS = 1_000;

const readOnly = (message: string): Error => Object.assign(new Error(message), { code: READ_ONLY });

async function isOn(client: pg.ClientBase, question: string): Promise<boolean> {
  const asked = { text: `select (${question})::bool as "on"`, query_timeout: CHECK_TIMEOUT_MS };
  const { rows } = await client.query<{ on: boolean }>(asked);
  return rows[0]?.on ?? false;
}

/**
 * Refuses a new connection to a standby, whose data may be stale. After a failover the server's address may lead to one
 * for a while.
 * @throws Error with the code READ_ONLY
 */
export async function refuseStandby(client: pg.ClientBase): Promise<void> {
  if (await isOn(client, 'pg_is_in_recovery()')) throw readOnly('The database server is a standby.');
}

/** Checks that the connection can write. @throws Error with the code READ_ONLY on a standby or read-only server */
export async function requireWritable(client: pg.ClientBase): Promise<void> {
  if (await isOn(client, "current_setting('transaction_read_only')"))
    throw readOnly('The database server is read-only.');
}

/**
 * Makes a pool drop all its open connections once a statement fails because the server has become read-only. The pool
 * then reconnects to wherever the address leads.
 */
export function dropReadOnlyConnections(pool: pg.Pool): void {
  const open = new Set<pg.PoolClient>();
  const inUse = new Set<pg.PoolClient>();
  const leaving = new WeakSet<pg.PoolClient>();
  let droppedAt = Number.NEGATIVE_INFINITY;

  function dropOthers(): void {
    if (performance.now() - droppedAt < DROP_EVERY_MS) return;
    droppedAt = performance.now();
    for (const client of open) {
      leaving.add(client);
      // The pool removes an idle connection that fails.
      if (!inUse.has(client)) partsOf(client).connection.stream.destroy(readOnly('The database server is read-only.'));
    }
  }

  pool.on('connect', (client) => {
    open.add(client);
    partsOf(client).connection.on('errorMessage', ({ code }: pg.DatabaseError) => {
      if (code !== READ_ONLY) return;
      leaving.add(client);
      dropOthers();
    });
  });
  pool.on('acquire', (client) => inUse.add(client));
  pool.on('release', (_error, client) => {
    inUse.delete(client);
    // The pool removes a connection that ends.
    if (leaving.has(client))
      void partsOf(client)
        .end()
        .catch(() => {});
  });
  pool.on('remove', (client) => {
    open.delete(client);
    inUse.delete(client);
  });
}
