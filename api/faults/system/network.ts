import { startProxy } from './proxy.ts';

/** What one process can be cut off from. */
export type Way = 'database' | 'provider';

/** The ways of one process to what it needs. */
export interface Ways {
  databaseUrl: string;
  providerUrl: string;
  cut(ways: readonly Way[]): void;
  mend(): void;
  reset(): void;
}

/** Every process has proxies of its own to the database and to the mail provider. */
export interface Network {
  of(process: string): Ways;
  /** Every way to the database is reset, and then swallows. */
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
        cut: (ways) => {
          for (const way of ways) own[way].cut();
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
