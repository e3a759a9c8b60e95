import type { Client, Pool } from './database.ts';

/** The backend that serves a connection. The types of pg leave it out. */
const backendOf = (client: Client): number => ('processID' in client ? Number(client.processID) : 0);

/**
 * Runs statements on a connection of their own for as long as somebody waits for them: once `signal` aborts, none begins, and
 * the server ends the one that runs.
 * @throws the signal's reason, or the server's error of a statement that was ended
 */
export async function whileAwaited<T>(
  pool: Pool,
  signal: AbortSignal,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  signal.throwIfAborted();
  const client = await pool.connect();
  let ending: Promise<unknown> | undefined;
  const end = () => {
    ending = pool.query('select pg_cancel_backend($1)', [backendOf(client)]).catch(() => {});
  };
  try {
    // It may have waited for the connection.
    signal.throwIfAborted();
    signal.addEventListener('abort', end, { once: true });
    return await work(client);
  } finally {
    signal.removeEventListener('abort', end);
    // Afterwards the connection runs statements of others.
    await ending;
    client.release();
  }
}
