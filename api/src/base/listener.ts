import pg from 'pg';
import { connectionLimits } from './database.ts';
import type { Log } from './log.ts';
import { requireWritable } from './writable-server.ts';

export interface Listener {
  /** Calls `handler` with the payload of each NOTIFY on the channel. @returns a function that unsubscribes */
  on(channel: string, handler: (payload: string) => void): Promise<() => void>;
  /** Sends a NOTIFY over the same connection; it is lost while that is broken. */
  notify(channel: string, payload: string): void;
  /** Calls `handler` after a reconnect; notifications before it may be lost. */
  onReconnect(handler: () => void): () => void;
  close(): Promise<void>;
}

const HEARTBEAT_MS = 10_000;

/**
 * Starts a dedicated connection for LISTEN, which reconnects by itself. It leaves a server that has become read-only,
 * since nobody can send notifications through it.
 */
export async function startListener(
  databaseUrl: string,
  log: Log,
  heartbeatMs: number = HEARTBEAT_MS,
): Promise<Listener> {
  const handlers = new Map<string, Set<(payload: string) => void>>();
  const reconnectHandlers = new Set<() => void>();
  let client: pg.Client | undefined;
  let closed = false;
  let delayMs = 100;

  async function connect(): Promise<void> {
    const next = new pg.Client({
      connectionString: databaseUrl,
      application_name: 'lotwatch-listener',
      ...connectionLimits(HEARTBEAT_MS),
      query_timeout: HEARTBEAT_MS,
      connectionTimeoutMillis: HEARTBEAT_MS,
    });
    next.on('error', (error) => log.warn('listener connection failed', { error: error.message }));
    next.on('end', () => {
      if (client === next) client = undefined;
      retryLater();
    });
    next.on('notification', ({ channel, payload }) => {
      for (const handler of handlers.get(channel) ?? []) handler(payload ?? '');
    });
    try {
      await next.connect();
      await requireWritable(next);
      for (const channel of handlers.keys()) await next.query(`listen ${next.escapeIdentifier(channel)}`);
      if (closed) throw new Error('The listener was closed.');
    } catch (error) {
      void next.end().catch(() => {});
      throw error;
    }
    client = next;
    delayMs = 100;
  }

  let retry: NodeJS.Timeout | undefined;
  function retryLater(): void {
    if (closed || retry) return;
    retry = setTimeout(() => {
      retry = undefined;
      connect().then(
        () => {
          for (const handler of reconnectHandlers) handler();
        },
        () => retryLater(),
      );
    }, delayMs);
    delayMs = Math.min(delayMs * 2, 1000);
  }

  // A half-open connection, or a server that has become read-only, is noticed only by a query.
  const heartbeat = setInterval(() => {
    const checked = client;
    if (!checked) return;
    requireWritable(checked).catch(({ message }: Error) => {
      log.warn('listener closes its connection', { error: message });
      void checked.end().catch(() => {});
    });
  }, heartbeatMs);
  heartbeat.unref();

  function stop(): void {
    closed = true;
    clearInterval(heartbeat);
    clearTimeout(retry);
  }

  try {
    await connect();
  } catch (error) {
    stop();
    throw error;
  }
  return {
    async on(channel, handler) {
      const known = handlers.get(channel);
      const set = known ?? new Set();
      set.add(handler);
      handlers.set(channel, set);
      if (!known && client) await client.query(`listen ${client.escapeIdentifier(channel)}`);
      return () => {
        set.delete(handler);
      };
    },
    notify(channel, payload) {
      client?.query('select pg_notify($1, $2)', [channel, payload]).catch(() => {});
    },
    onReconnect(handler) {
      reconnectHandlers.add(handler);
      return () => {
        reconnectHandlers.delete(handler);
      };
    },
    async close() {
      stop();
      await client?.end().catch(() => {});
    },
  };
}
