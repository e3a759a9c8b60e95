import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A TCP proxy on 127.0.0.1 whose network can be cut: nothing goes through, and neither side is told. */
export interface TcpProxy {
  port: number;
  /** From now on everything is swallowed silently, in both directions; new connections are accepted and get no answer. */
  cut(): void;
  /** What was swallowed is delivered, as TCP does when a network is back. */
  mend(): void;
  /** Every connection that stands is reset; new ones are not. */
  reset(): void;
  close(): Promise<void>;
}

interface Pair {
  client: Socket;
  server: Socket | undefined;
  /** One side has ended while the network was cut; the other will hear of it. */
  isOver: boolean;
}

const ignore = () => {};

/** @param target the port on this machine to which new connections lead; asked for each of them */
export async function startProxy(target: () => number): Promise<TcpProxy> {
  const pairs = new Set<Pair>();
  let isCut = false;

  function flow({ client, server }: Pair): void {
    if (!server) return;
    client.pipe(server);
    server.pipe(client);
  }

  function halt({ client, server }: Pair): void {
    if (!server) return;
    client.unpipe(server);
    server.unpipe(client);
    client.pause();
    server.pause();
  }

  function end(pair: Pair): void {
    pairs.delete(pair);
    pair.client.destroy();
    pair.server?.destroy();
  }

  function over(pair: Pair): void {
    if (isCut) pair.isOver = true;
    else end(pair);
  }

  function lead(pair: Pair): void {
    const server = connect(target(), '127.0.0.1');
    pair.server = server;
    server.setNoDelay(true);
    server.on('error', ignore);
    server.on('close', () => over(pair));
    if (isCut) halt(pair);
    else flow(pair);
  }

  const listening = createServer((client) => {
    const pair: Pair = { client, server: undefined, isOver: false };
    pairs.add(pair);
    client.setNoDelay(true);
    client.on('error', ignore);
    client.on('close', () => over(pair));
    if (isCut) client.pause();
    else lead(pair);
  });
  await new Promise<void>((settle) => listening.listen(0, '127.0.0.1', settle));

  return {
    port: (listening.address() as AddressInfo).port,
    cut() {
      isCut = true;
      for (const pair of pairs) halt(pair);
    },
    mend() {
      isCut = false;
      for (const pair of [...pairs]) {
        if (pair.isOver) end(pair);
        else if (pair.server) flow(pair);
        else lead(pair);
      }
    },
    reset() {
      for (const pair of [...pairs]) {
        pairs.delete(pair);
        pair.client.resetAndDestroy();
        pair.server?.resetAndDestroy();
      }
    },
    close() {
      for (const pair of [...pairs]) end(pair);
      return new Promise((settle) => listening.close(() => settle()));
    },
  };
}
