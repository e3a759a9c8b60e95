import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TestProject } from 'vitest/node';
import { findChromium } from './find-chromium.ts';

export interface LotWatchUnderTest {
  /** Where it serves, without a trailing slash. */
  url: string;
  dataDir: string;
  ingestToken: string;
  adminPassword: string;
}

declare module 'vitest' {
  interface ProvidedContext {
    /** null where there is no browser: then the tests in it are skipped, and said to be. */
    browserPath: string | null;
    lotWatch: LotWatchUnderTest | null;
  }
}

const START_PATIENCE_MS = 120_000;
const root = fileURLToPath(new URL('../../..', import.meta.url));

function freePort(): Promise<number> {
  return new Promise((settle) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => settle(typeof address === 'object' && address ? address.port : 0));
    });
  });
}

async function answers(url: string, server: ChildProcess, output: () => string): Promise<void> {
  for (const end = Date.now() + START_PATIENCE_MS; Date.now() < end; ) {
    if (server.exitCode !== null) break;
    try {
      if ((await fetch(url)).ok) return;
    } catch {
      // Its port is closed until all is ready.
    }
    await new Promise((settle) => setTimeout(settle, 100));
  }
  throw new Error(`LotWatch did not start for the browser tests:\n${output()}`);
}

/** One LotWatch for all browser tests: started as a user would, in a data folder of its own. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const browserPath = findChromium();
  project.provide('browserPath', browserPath ?? null);
  if (browserPath === undefined) {
    project.provide('lotWatch', null);
    process.stderr.write(
      '\n!!! NOT TESTED: everything in a browser. Install chromium, or set CHROMIUM to its path. !!!\n\n',
    );
    return async () => {};
  }
  const folder = mkdtempSync(join(tmpdir(), 'lotwatch-e2e-'));
  const port = await freePort();
  const lotWatch: LotWatchUnderTest = {
    url: `http://localhost:${port}`,
    dataDir: join(folder, 'data'),
    ingestToken: 'token-of-the-browser-tests',
    adminPassword: 'password-of-the-browser-tests',
  };
  const { NODE_ENV: _testing, ...environment } = process.env;
  const server = spawn(process.execPath, ['--import', 'tsx', 'api/src/main.ts'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...environment,
      PORT: String(port),
      DATA_DIR: lotWatch.dataDir,
      DEMO_SEED: '1',
      INGEST_TOKEN: lotWatch.ingestToken,
      ADMIN_PASSWORD: lotWatch.adminPassword,
      RATE_LIMITS: 'off',
    },
  });
  let output = '';
  for (const stream of [server.stdout, server.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output = (output + chunk.toString()).slice(-8000);
    });
  }
  const stop = async (): Promise<void> => {
    const ended = new Promise((settle) => server.once('exit', settle));
    if (server.exitCode === null && server.signalCode === null) {
      server.kill('SIGTERM');
      await ended;
    }
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await answers(lotWatch.url, server, () => output);
  } catch (error) {
    await stop();
    throw error;
  }
  project.provide('lotWatch', lotWatch);
  return stop;
}
