import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { freePort } from '../../base/free-port.ts';
import { collectLastLines } from '../processes/node-child.ts';
import type { Running } from '../processes/supervisor.ts';
import { startEmbeddedPostgres } from './embedded-postgres.ts';

/** Checks whether this process can listen there. @returns the reason when it can't, else undefined */
export function findListenFault(port: number, host: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      resolve(
        error.code === 'EADDRINUSE'
          ? `Port ${port} on ${host} is in use by another program. Stop that one, or set PORT to another number.`
          : `LotWatch can't listen on ${host}:${port}: ${error.message}`,
      );
    });
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}

/** Chooses the port of the last run if it is free, so that an operator's psql command still works. */
async function choosePort(addressFile: string): Promise<number> {
  try {
    const last = Number(new URL(readFileSync(addressFile, 'utf8').trim()).port);
    if (last > 0 && (await findListenFault(last, '127.0.0.1')) === undefined) return last;
  } catch {
    // There is no address yet, or an unreadable one.
  }
  return freePort();
}

interface DatabasePart {
  /** Resolved at the first start; later starts use the same address. */
  url: Promise<string>;
  start(): Promise<Running>;
}

/** The embedded PostgreSQL of a data folder, which can be restarted on the same port. */
export function databasePart(
  folder: string,
  onLine: (line: string) => void,
  extraOptions: string[] = [],
): DatabasePart {
  const addressFile = join(folder, 'database-url');
  let port: number | undefined;
  let resolveUrl: (url: string) => void = () => {};
  const url = new Promise<string>((resolve) => {
    resolveUrl = resolve;
  });
  return {
    url,
    async start() {
      port ??= await choosePort(addressFile);
      const last = collectLastLines();
      const keep = (line: string) => {
        last.add(line);
        onLine(line);
      };
      const server = await startEmbeddedPostgres({ dir: join(folder, 'postgres'), port, extraOptions, onLine: keep });
      const ended = new Promise<string>((resolve) => {
        const end = () => resolve(last.reason('ended'));
        if (server.process.exitCode !== null || server.process.signalCode !== null) end();
        else server.process.once('exit', end);
      });
      writeFileSync(`${addressFile}.new`, `${server.url}\n`, { mode: 0o600 });
      renameSync(`${addressFile}.new`, addressFile);
      resolveUrl(server.url);
      return { ended, stop: () => server.stop() };
    },
  };
}
