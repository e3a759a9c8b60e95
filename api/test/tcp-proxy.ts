import { connect, createServer, type Server, type Socket } from 'node:net';
import { freePort } from '../src/base/free-port.ts';

export interface TcpProxy {
  /** The server's address by way of the proxy. */
  url: string;
  /** The first bytes that each connection sent. */
  firstBytes: string[];
  open(): Promise<void>;
  /** Refuses new connections; those that are open go on. */
  refuse(): void;
  /** Cuts every connection and refuses new ones. */
  close(): Promise<void>;
}

/**
 * Makes a proxy to a server that can be opened and closed again and again. It is closed at first.
 * @param currentUrl where new connections lead, in place of `serverUrl`
 */
export async function makeTcpProxy(serverUrl: string, currentUrl = () => serverUrl): Promise<TcpProxy> {
  const address = new URL(serverUrl);
  const port = await freePort();
  address.hostname = '127.0.0.1';
  address.port = String(port);
  const sockets = new Set<Socket>();
  const firstBytes: string[] = [];
  let server: Server | undefined;

  function join(from: Socket, to: Socket): void {
    sockets.add(from);
    from.on('error', () => to.destroy());
    from.on('close', () => {
      sockets.delete(from);
      to.destroy();
    });
    from.pipe(to);
  }

  return {
    url: address.href,
    firstBytes,
    async open() {
      const opened = createServer((near) => {
        const target = new URL(currentUrl());
        const far = connect(Number(target.port), target.hostname);
        near.once('data', (first) => firstBytes.push(first.toString('latin1')));
        join(near, far);
        join(far, near);
      });
      server = opened;
      await new Promise<void>((resolve) => opened.listen(port, '127.0.0.1', resolve));
    },
    refuse() {
      server?.close();
      server = undefined;
    },
    async close() {
      const closing = server;
      server = undefined;
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => (closing ? closing.close(() => resolve()) : resolve()));
    },
  };
}
