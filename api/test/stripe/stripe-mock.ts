import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePort } from '../../src/base/free-port.ts';

const run = promisify(execFile);
/** Knows Stripe's API of 2026-08-26, the newest there is; the client asks for 2026-10-28. */
const version = 'v0.203.0';
const cache = new URL('../../../.cache', import.meta.url).pathname;
const binary = join(cache, `stripe-mock-${version}`);

async function build(): Promise<void> {
  process.stderr.write('Building stripe-mock, about half a minute …\n');
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(tmpdir(), 'lotwatch-go-'));
  try {
    const env = { ...process.env, GOBIN: folder, CGO_ENABLED: '0' };
    await run('go', ['install', `github.com/stripe/stripe-mock@${version}`], { env });
    // Beside the place first: two runs may build at a time, and a rename is whole.
    const draft = `${binary}.${process.pid}`;
    await run('cp', [join(folder, 'stripe-mock'), draft]);
    renameSync(draft, binary);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function hasGo(): Promise<boolean> {
  try {
    await run('go', ['version']);
    return true;
  } catch {
    return false;
  }
}

export interface StripeMock {
  url: string;
  stop(): void;
}

async function answers(url: string, server: ChildProcess): Promise<boolean> {
  for (let attempt = 0; attempt < 200 && server.exitCode === null; attempt++) {
    try {
      await fetch(url);
      return true;
    } catch {
      await new Promise((settle) => setTimeout(settle, 50));
    }
  }
  return false;
}

/** Stripe's own server for tests, which refuses unknown and mistyped parameters; null where it can't be built. */
export async function startStripeMock(): Promise<StripeMock | null> {
  try {
    if (!existsSync(binary)) {
      if (!(await hasGo())) return null;
      await build();
    }
  } catch (error) {
    process.stderr.write(`stripe-mock could not be built: ${String(error).slice(0, 500)}\n`);
    return null;
  }
  const port = await freePort();
  const server = spawn(binary, ['-http-addr', `127.0.0.1:${port}`], { stdio: 'ignore' });
  const url = `http://127.0.0.1:${port}`;
  if (!(await answers(url, server))) return null;
  return { url, stop: () => server.kill('SIGKILL') };
}
