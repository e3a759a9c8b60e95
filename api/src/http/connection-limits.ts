import type { Server, ServerOptions } from 'node:http';
import { networkOf } from '../base/addresses/network.ts';

/** Limits of the connections of one process. */
export interface ConnectionLimits {
  /** From the start of the connection or request. */
  headersWithinMs: number;
  /** For headers and body together. */
  requestWithinMs: number;
  /** Without a byte in either direction, such as for a client that doesn't read its response. */
  silentMs: number;
  /** Between two requests. */
  keepAliveMs: number;
  /** How often the timeouts are checked. */
  checkEveryMs: number;
  /** Concurrent connections, including WebSockets. */
  connections: number;
  /** Concurrent connections of one network in addition to its WebSockets. */
  requestsOfNetwork: number;
}

export const defaultConnectionLimits: ConnectionLimits = {
  headersWithinMs: 10_000,
  // For 5 MB of listings at 0.7 Mbit/s.
  requestWithinMs: 60_000,
  silentMs: 300_000,
  // Longer than proxies keep idle connections, so that none sends a request into a closing one.
  keepAliveMs: 65_000,
  checkEveryMs: 1_000,
  connections: 12_000,
  requestsOfNetwork: 500,
};

/** The timeouts for `createServer`, which close the connections of slow clients. */
export const serverTimes = (bounds: ConnectionLimits): ServerOptions => ({
  headersTimeout: bounds.headersWithinMs,
  requestTimeout: bounds.requestWithinMs,
  keepAliveTimeout: bounds.keepAliveMs,
  connectionsCheckingInterval: bounds.checkEveryMs,
});

/**
 * Limits the open connections, in total and of each network. Behind a proxy all connections are the proxy's, which must
 * then limit networks itself.
 */
export function limitConnections(
  server: Server,
  bounds: ConnectionLimits,
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
