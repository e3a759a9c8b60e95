import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A TCP proxy on 127.0.0.1 whose network can be cut: nothing goes through, and no connection closes. */
export interface TcpProxy {
  port: number;
  /** Withholds all data in both directions; new connections are accepted and get no answer. */
  cut(): void;
  /** Delivers the withheld data, as TCP does when a network is back. */
  mend(): void;
  /** Resets every connection that is open. */
  reset(): void;
  close(): Promise<void>;
}

interface Pair {
  client: Socket;
  server: Socket | undefined;
  /** One side ended while the network was cut; the other side is closed when it is mended. */
  isOver: boolean;
}

const ignore = () => {};

/** @param target returns the port on this machine for each new connection */
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
  await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));

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
      return new Promise((resolve) => listening.close(() => resolve()));
    },
  };
}

/** The targets from which a process can be cut off. */
type Way = 'database' | 'provider';

/** The proxies of one process, and their addresses. */
interface Routes {
  databaseUrl: string;
  providerUrl: string;
  cut(routes: readonly Way[]): void;
  mend(): void;
  reset(): void;
}

/** The proxies through which each process reaches the database and the mail provider. */
export interface Network {
  of(process: string): Routes;
  /** Cuts every process off from the database and resets its connections. */
  cutDatabase(): void;
  mendDatabase(): void;
  close(): Promise<void>;
}

const through = (url: string, port: number) => Object.assign(new URL(url), { port: String(port) }).href;

/**
 * @param databaseUrl of the server that is there when a connection is opened
 */
export async function startNetwork(
  processes: readonly string[],
  databaseUrl: () => string,
  providerUrl: string,
): Promise<Network> {
  const portOf = (url: string) => Number(new URL(url).port);
  const made = await Promise.all(
    processes.map(async (name) => {
      const database = await startProxy(() => portOf(databaseUrl()));
      const provider = await startProxy(() => portOf(providerUrl));
      return [name, { database, provider }] as const;
    }),
  );
  const proxies = new Map(made);
  const all = [...proxies.values()];
  return {
    of(process) {
      const own = proxies.get(process);
      if (!own) throw new Error(`${process} has no way to anything`);
      return {
        databaseUrl: through(databaseUrl(), own.database.port),
        providerUrl: through(providerUrl, own.provider.port).replace(/\/$/, ''),
        cut: (routes) => {
          for (const way of routes) own[way].cut();
        },
        mend: () => {
          for (const proxy of Object.values(own)) proxy.mend();
        },
        reset: () => {
          for (const proxy of Object.values(own)) proxy.reset();
        },
      };
    },
    cutDatabase() {
      for (const { database } of all) {
        database.cut();
        database.reset();
      }
    },
    mendDatabase() {
      for (const { database } of all) database.mend();
    },
    async close() {
      await Promise.all(all.flatMap(({ database, provider }) => [database.close(), provider.close()]));
    },
  };
}
