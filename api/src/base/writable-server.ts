import type pg from 'pg';
import { partsOf } from './client-parts.ts';
import { READ_ONLY } from './database-fault.ts';

/** How long a server that has let us in may take to say what it is. */
const ASK_MS = 10_000;
/** While a server stays read-only, a pool drops all its idle connections at most this often. */
const DROP_EVERY_MS = 1_000;

const readOnly = (message: string): Error => Object.assign(new Error(message), { code: READ_ONLY });

async function isOn(client: pg.ClientBase, question: string): Promise<boolean> {
  const asked = { text: `select (${question})::bool as "on"`, query_timeout: ASK_MS };
  const { rows } = await client.query<{ on: boolean }>(asked);
  return rows[0]?.on ?? false;
}

/**
 * Refuses a new connection that leads to a standby: what it answers may be old, as it may follow from afar or no more.
 * The address of a server that failed over may lead there for a while.
 * @throws Error with the code READ_ONLY
 */
export async function refuseStandby(client: pg.ClientBase): Promise<void> {
  if (await isOn(client, 'pg_is_in_recovery()')) throw readOnly('The database server is a standby.');
}

/** @throws Error with the code READ_ONLY where the connection may not write: on a standby, or as the server is set so */
export async function requireWritable(client: pg.ClientBase): Promise<void> {
  if (await isOn(client, "current_setting('transaction_read_only')"))
    throw readOnly('The database server takes no writes.');
}

/**
 * Lets a pool leave a server that has become read-only: the connection that was told so is not used again, nor is any
 * other that is open by then. The pool then connects anew, to wherever the address leads.
 */
export function leaveWhenReadOnly(pool: pg.Pool): void {
  const open = new Set<pg.PoolClient>();
  const inUse = new Set<pg.PoolClient>();
  const leaving = new WeakSet<pg.PoolClient>();
  let droppedAt = Number.NEGATIVE_INFINITY;

  function dropOthers(): void {
    if (performance.now() - droppedAt < DROP_EVERY_MS) return;
    droppedAt = performance.now();
    for (const client of open) {
      leaving.add(client);
      // The pool drops an idle connection that is lost.
      if (!inUse.has(client))
        partsOf(client).connection.stream.destroy(readOnly('The database server takes no writes.'));
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
