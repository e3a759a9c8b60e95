import pLimit from 'p-limit';
import pg from 'pg';
import type { Client, Pool } from './database.ts';
import { AppError } from './errors.ts';

/**
 * Runs statements on a connection of their own for as long as somebody waits for them: once `signal` aborts, none begins, and
 * the server ends the one that runs.
 * @throws the signal's reason, the server's error of a statement that was ended, or AppError UNAVAILABLE while too many run
 */
export type WhileAwaited = <T>(signal: AbortSignal, work: (client: Client) => Promise<T>) => Promise<T>;

/** As long as somebody may wait for a connection of a pool. */
const TURN_MS = 5_000;
const CANCEL_MS = 3_000;

/**
 * Makes the way to run statements that take long, and whose callers may leave.
 * @param most how many connections of the pool they may take together, as sessions and the health check need some too
 */
export function makeWhileAwaited(pool: Pool, most: number): WhileAwaited {
  const limit = pLimit(most);
  return (signal, work) => {
    const since = performance.now();
    return limit(async () => {
      signal.throwIfAborted();
      if (performance.now() - since > TURN_MS)
        throw new AppError('UNAVAILABLE', 'Too many people search at the moment. Please try again.');
      const client = await pool.connect();
      let cancelled: Promise<boolean> | undefined;
      const cancel = () => {
        cancelled = cancelStatement(client);
      };
      try {
        // It may have waited for the connection.
        signal.throwIfAborted();
        signal.addEventListener('abort', cancel, { once: true });
        return await work(client);
      } finally {
        signal.removeEventListener('abort', cancel);
        // If it comes later, it would end a statement of somebody else.
        const isOver = (await cancelled) ?? true;
        client.release(!isOver);
      }
    });
  };
}

/** Members of the client and the connection of `pg` that its types leave out. */
interface ClientParts {
  host: string;
  port: number;
  ssl: boolean | object;
  sslNegotiation: string;
  processID: number;
  secretKey: number;
}
interface ConnectionParts {
  connect(portOrPath: number | string, host?: string): void;
  requestSsl(): void;
  cancel(processId: number, secretKey: number): void;
}

/**
 * Asks the server to end the statement that a client runs, over a connection that takes no place of the pool or the server.
 * Source: https://www.postgresql.org/docs/current/protocol-flow.html, "Canceling Requests in Progress"
 * @returns true once the server has acted on it; false if it failed, and the server may still act on it
 */
function cancelStatement(client: Client): Promise<boolean> {
  const { host, port, ssl, sslNegotiation, processID, secretKey } = client as Client & ClientParts;
  const connection = new pg.Connection({ ssl, sslNegotiation } as pg.ConnectionConfig) as pg.Connection &
    ConnectionParts;
  return new Promise((resolve) => {
    let isSent = false;
    const fail = () => {
      isSent = false;
      connection.stream.destroy();
    };
    const timeout = setTimeout(fail, CANCEL_MS);
    const send = () => {
      connection.cancel(processID, secretKey);
      isSent = true;
    };
    connection.once('connect', () => {
      if (!ssl) send();
      else if (sslNegotiation !== 'direct') connection.requestSsl();
    });
    connection.once('sslconnect', send);
    connection.on('error', fail);
    // The server answers nothing, and closes the connection once it has signalled the one that runs the statement.
    connection.once('end', () => {
      clearTimeout(timeout);
      resolve(isSent);
    });
    if (host.startsWith('/')) connection.connect(`${host}/.s.PGSQL.${port}`);
    else connection.connect(port, host);
  });
}
