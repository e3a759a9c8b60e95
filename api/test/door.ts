import { connect, createServer, type Server, type Socket } from 'node:net';
import { freePort } from '../src/base/free-port.ts';

export interface Door {
  /** The server's address, by way of the door. */
  url: string;
  /** What each connection said first. */
  greetings: string[];
  open(): Promise<void>;
  /** Cuts every connection and refuses new ones. */
  shut(): Promise<void>;
}

/** A way to a server that can be shut and opened again; shut at first. */
export async function makeDoor(serverUrl: string): Promise<Door> {
  const target = new URL(serverUrl);
  const address = new URL(serverUrl);
  const port = await freePort();
  address.hostname = '127.0.0.1';
  address.port = String(port);
  const sockets = new Set<Socket>();
  const greetings: string[] = [];
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
    greetings,
    async open() {
      const opened = createServer((near) => {
        const far = connect(Number(target.port), target.hostname);
        near.once('data', (first) => greetings.push(first.toString('latin1')));
        join(near, far);
        join(far, near);
      });
      server = opened;
      await new Promise<void>((settle) => opened.listen(port, '127.0.0.1', settle));
    },
    async shut() {
      const closing = server;
      server = undefined;
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((settle) => (closing ? closing.close(() => settle()) : settle()));
    },
  };
}
