import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { freePort } from '../../base/free-port.ts';
import { keepLastLines } from '../processes/node-child.ts';
import type { Running } from '../processes/supervisor.ts';
import { startEmbeddedPostgres } from './embedded-postgres.ts';

/** Whether this process could listen there; the reason when it can't. */
export function whyNotListen(port: number, host: string): Promise<string | undefined> {
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

/** The port of the last run when it is free: an operator's psql line stays good. */
async function choosePort(addressFile: string): Promise<number> {
  try {
    const last = Number(new URL(readFileSync(addressFile, 'utf8').trim()).port);
    if (last > 0 && (await whyNotListen(last, '127.0.0.1')) === undefined) return last;
  } catch {
    // No address yet, or an unreadable one.
  }
  return freePort();
}

interface DatabasePart {
  /** Known from the first start on; every later start uses the same. */
  url: Promise<string>;
  start(): Promise<Running>;
}

/** The embedded PostgreSQL of a data folder, as a part that can be started again on the same port. */
export function databasePart(folder: string, onLine: (line: string) => void): DatabasePart {
  const addressFile = join(folder, 'database-url');
  let port: number | undefined;
  let tellUrl: (url: string) => void = () => {};
  const url = new Promise<string>((resolve) => {
    tellUrl = resolve;
  });
  return {
    url,
    async start() {
      port ??= await choosePort(addressFile);
      const last = keepLastLines();
      const keep = (line: string) => {
        last.add(line);
        onLine(line);
      };
      const server = await startEmbeddedPostgres({ dir: join(folder, 'postgres'), port, onLine: keep });
      const ended = new Promise<string>((resolve) => {
        const end = () => resolve(last.reason('ended'));
        if (server.process.exitCode !== null || server.process.signalCode !== null) end();
        else server.process.once('exit', end);
      });
      writeFileSync(`${addressFile}.new`, `${server.url}\n`, { mode: 0o600 });
      renameSync(`${addressFile}.new`, addressFile);
      tellUrl(server.url);
      return { ended, stop: () => server.stop() };
    },
  };
}
