import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort } from '../../src/base/free-port.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/launcher/postgres/embedded-postgres.ts';
import { prepareDatabase } from '../../src/launcher/postgres/prepare-database.ts';

/** A durable PostgreSQL that is killed and comes back on the same port. */
export interface KilledDatabase {
  url: string;
  /** When it was killed and when it took connections again, in milliseconds since 1970. */
  outages: { from: number; to: number }[];
  /** The head of the server, `kill -9`: its sessions end with it; settles when it is back. */
  killServer(): Promise<void>;
  /** One session, `kill -9`: the server ends all others and recovers by itself. @returns whether there was one */
  killSession(pid: number): boolean;
  stop(): Promise<void>;
}

/** Started on a cluster of its own, migrated, with plans and the admin. */
export async function startKilledDatabase(folder: string): Promise<KilledDatabase> {
  const dir = join(folder, 'postgres');
  const port = await freePort();
  const logFile = join(folder, 'postgres.log');
  const start = () =>
    startEmbeddedPostgres({ dir, port, durable: true, onLine: (line) => appendFileSync(logFile, `${line}\n`) });
  let server: EmbeddedPostgres = await start();
  await prepareDatabase(server.url, 'the-admin-of-the-faults');
  const outages: { from: number; to: number }[] = [];
  return {
    url: server.url,
    outages,
    async killServer() {
      const outage = { from: Date.now(), to: Number.POSITIVE_INFINITY };
      outages.push(outage);
      const head = Number(readFileSync(join(dir, 'postmaster.pid'), 'utf8').split('\n')[0]);
      const gone = new Promise((settle) => server.process.once('close', settle));
      process.kill(head, 'SIGKILL');
      await gone;
      server = await start();
      outage.to = Date.now();
    },
    killSession(pid) {
      outages.push({ from: Date.now(), to: Date.now() + 3_000 });
      try {
        process.kill(pid, 'SIGKILL');
        return true;
      } catch {
        return false;
      }
    },
    stop: () => server.stop(),
  };
}
