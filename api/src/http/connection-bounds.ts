import type { Server, ServerOptions } from 'node:http';
import { networkOf } from '../base/addresses/network.ts';

/** What connections may take of one process. */
export interface ConnectionBounds {
  /** From the first byte, or without any. */
  headersWithinMs: number;
  /** Headers and body together. */
  requestWithinMs: number;
  /** Without a byte in either direction: a client that doesn't read its answer. */
  silentMs: number;
  /** Between two requests. */
  keepAliveMs: number;
  /** How often it is looked who is late. */
  lookEveryMs: number;
  /** Open at a time, WebSockets too: of all together, and beside the WebSockets of one network. */
  connections: number;
  requestsOfNetwork: number;
}

export const connectionBounds: ConnectionBounds = {
  headersWithinMs: 10_000,
  // 5 MB of listings at 0.7 Mbit a second.
  requestWithinMs: 60_000,
  silentMs: 300_000,
  // Longer than proxies keep an idle connection, so that none of them sends into one that we are closing.
  keepAliveMs: 65_000,
  lookEveryMs: 1_000,
  connections: 12_000,
  requestsOfNetwork: 500,
};

/** Times for `createServer`: who sends slowly is cut off, and costs no more than a connection until then. */
export const serverTimes = (bounds: ConnectionBounds): ServerOptions => ({
  headersTimeout: bounds.headersWithinMs,
  requestTimeout: bounds.requestWithinMs,
  keepAliveTimeout: bounds.keepAliveMs,
  connectionsCheckingInterval: bounds.lookEveryMs,
});

/**
 * Bounds how many connections are open, of one network too. Behind a proxy all of them are the proxy's, which then is
 * the one to tell networks apart.
 */
export function boundConnections(
  server: Server,
  bounds: ConnectionBounds,
  settings: { trustedProxies: number; socketsPerNetwork: number },
): void {
  server.maxConnections = bounds.connections;
  server.timeout = bounds.silentMs;
  if (settings.trustedProxies > 0) return;
  const most = settings.socketsPerNetwork + bounds.requestsOfNetwork;
  const open = new Map<string, number>();
  server.on('connection', (socket) => {
    const network = networkOf(socket.remoteAddress ?? '');
    const others = open.get(network) ?? 0;
    if (others >= most) {
      socket.destroy();
      return;
    }
    open.set(network, others + 1);
    socket.once('close', () => {
      const left = (open.get(network) ?? 1) - 1;
      if (left > 0) open.set(network, left);
      else open.delete(network);
    });
  });
}
