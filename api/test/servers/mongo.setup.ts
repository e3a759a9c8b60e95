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
    /** null where no server that speaks MongoDB's protocol is to be had. */
    mongoUrl: string | null;
  }
}

const run = promisify(execFile);
const binary = new URL('../../.cache/ferretdb', import.meta.url).pathname;

async function findStandIn(): Promise<string | null> {
  if (existsSync(binary)) return binary;
  try {
    await run('go', ['version']);
  } catch {
    return null;
  }
  mkdirSync(new URL('../../.cache', import.meta.url), { recursive: true });
  process.stderr.write('Building the stand-in for MongoDB, about a minute …\n');
  await run(new URL('./mongo-stand-in.sh', import.meta.url).pathname, [binary]);
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
  throw new Error('the stand-in for MongoDB does not answer');
}

/**
 * Provides MONGO_URL, or a stand-in where Go is there to build it, or says loudly that neither is. What needs MongoDB is
 * tagged `long`, so `npm test` builds nothing.
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
  const standIn = await findStandIn().catch((error: unknown) => {
    process.stderr.write(`The stand-in for MongoDB could not be built: ${String(error).slice(0, 500)}\n`);
    return null;
  });
  if (standIn === null) {
    process.stderr.write(
      '\n!!! NOT TESTED: jobs kept in MongoDB. Set MONGO_URL, or install Go to build a stand-in. !!!\n\n',
    );
    project.provide('mongoUrl', null);
    return () => {};
  }
  const folder = mkdtempSync(join(tmpdir(), 'lotwatch-mongo-'));
  const port = await freePort();
  const server: ChildProcess = spawn(
    standIn,
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
