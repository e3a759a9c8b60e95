import { appendFileSync, chmodSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { cp } from 'node:fs/promises';
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

const start = (folder: string, port: number) =>
  startEmbeddedPostgres({
    dir: join(folder, 'postgres'),
    port,
    durable: true,
    onLine: (line) => appendFileSync(join(folder, 'postgres.log'), `${line}\n`),
  });

/** A stopped cluster, migrated, with plans and the admin; it goes with the folder of the run that needed it first. */
async function makeTemplate(folder: string): Promise<string> {
  const made = join(folder, 'template');
  mkdirSync(made);
  const server = await start(made, await freePort());
  await prepareDatabase(server.url, 'the-admin-of-the-faults');
  await server.stop();
  return made;
}

let template: Promise<string> | undefined;

/** Started on a cluster of its own: a copy, as runs beside each other would all make the same one. */
export async function startKilledDatabase(folder: string): Promise<KilledDatabase> {
  template ??= makeTemplate(folder);
  if (!existsSync(await template)) template = makeTemplate(folder);
  const made = await template;
  for (const name of ['postgres', 'postgres.password'])
    await cp(join(made, name), join(folder, name), { recursive: true, preserveTimestamps: true });
  chmodSync(join(folder, 'postgres'), 0o700);
  const port = await freePort();
  let server: EmbeddedPostgres = await start(folder, port);
  const outages: { from: number; to: number }[] = [];
  return {
    url: server.url,
    outages,
    async killServer() {
      const outage = { from: Date.now(), to: Number.POSITIVE_INFINITY };
      outages.push(outage);
      const head = Number(readFileSync(join(folder, 'postgres', 'postmaster.pid'), 'utf8').split('\n')[0]);
      const gone = new Promise((settle) => server.process.once('close', settle));
      process.kill(head, 'SIGKILL');
      await gone;
      server = await start(folder, port);
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
