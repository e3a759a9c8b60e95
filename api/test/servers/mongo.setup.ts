import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { TestProject } from 'vitest/node';
import { freePort } from '../../src/base/free-port.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** null where there is neither MongoDB nor FerretDB. */
    mongoUrl: string | null;
  }
}

const run = promisify(execFile);
const binary = new URL('../../.cache/ferretdb', import.meta.url).pathname;

async function findFerretDb(): Promise<string | null> {
  if (existsSync(binary)) return binary;
  try {
    await run('go', ['version']);
  } catch {
    return null;
  }
  mkdirSync(new URL('../../.cache', import.meta.url), { recursive: true });
  process.stderr.write('Building FerretDB in place of MongoDB, about a minute …\n');
  await run(new URL('./build-ferretdb.sh', import.meta.url).pathname, [binary]);
  return binary;
}

async function answers(port: number): Promise<void> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const open = await new Promise<boolean>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => resolve(true));
      socket.on('error', () => resolve(false));
      socket.on('connect', () => socket.end());
    });
    if (open) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  throw new Error('FerretDB does not answer');
}

/**
 * Provides MONGO_URL; without it starts FerretDB, which needs Go to be built; without Go it reports that tests are
 * skipped. Tests that need MongoDB are tagged `long`, so `npm test` builds nothing.
 */
export default async function setup(project: TestProject): Promise<() => void> {
  const given = process.env.MONGO_URL;
  if (given) {
    project.provide('mongoUrl', given);
    return () => {};
  }
  if (project.vitest.config.tagsFilter?.includes('!long')) {
    project.provide('mongoUrl', null);
    return () => {};
  }
  const ferretDb = await findFerretDb().catch((error: unknown) => {
    process.stderr.write(`FerretDB could not be built: ${String(error).slice(0, 500)}\n`);
    return null;
  });
  if (ferretDb === null) {
    process.stderr.write(
      '\n!!! NOT TESTED: jobs kept in MongoDB. Set MONGO_URL, or install Go to build FerretDB. !!!\n\n',
    );
    project.provide('mongoUrl', null);
    return () => {};
  }
  const folder = mkdtempSync(join(tmpdir(), 'lotwatch-mongo-'));
  const port = await freePort();
  const server: ChildProcess = spawn(
    ferretDb,
    [
      '--handler=sqlite',
      `--sqlite-url=file:${folder}/`,
      `--listen-addr=127.0.0.1:${port}`,
      `--state-dir=${folder}`,
      '--telemetry=disable',
      '--debug-addr=-',
    ],
    { stdio: 'ignore' },
  );
  await answers(port);
  project.provide('mongoUrl', `mongodb://127.0.0.1:${port}/lotwatch`);
  return () => {
    server.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  };
}
