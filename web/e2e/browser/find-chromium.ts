import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

/** Debian's package of Chromium without windows, which opens a page in a third of the time. */
const SHELL = '/usr/lib/chromium/chromium-headless-shell';

const KNOWN = [
  SHELL,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

export const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // Pages of one context share a process and its compiled scripts, which takes a third of the time.
  '--renderer-process-limit=1',
  '--disable-site-isolation-trials',
  '--in-process-gpu',
  // No page is open long enough for optimised code to be worth its compilation, so tests take an eighth less time.
  '--js-flags=--no-opt --no-maglev',
];

const find = (): string | undefined => [process.env.CHROMIUM ?? '', ...KNOWN].find((path) => path && existsSync(path));

/**
 * Finds the browser of this machine: `CHROMIUM`, else Debian's headless one, which is installed if possible, else any
 * other. @returns undefined if there is none
 */
export function findChromium(): string | undefined {
  const known = find();
  if (known === SHELL || (known !== undefined && known === process.env.CHROMIUM)) return known;
  if (process.getuid?.() !== 0 || spawnSync('apt-get', ['--version'], { stdio: 'ignore' }).status !== 0) return known;
  process.stderr.write('Installing chromium-headless-shell with apt-get …\n');
  if (!install('chromium-headless-shell') && known === undefined) install('chromium');
  return find();
}

/** @returns whether the package is installed afterwards */
function install(name: string): boolean {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const aptLimits = ['-o', 'Acquire::http::Timeout=15', '-o', 'Acquire::Retries=1'];
  try {
    execFileSync('apt-get', ['update', '-qq', ...aptLimits], { stdio: 'ignore', env, timeout: 60_000 });
    const order = ['install', '-y', '-qq', '--no-install-recommends', ...aptLimits, name];
    execFileSync('apt-get', order, { stdio: 'ignore', env, timeout: 180_000 });
    return true;
  } catch (error) {
    process.stderr.write(`${name} could not be installed: ${error instanceof Error ? error.message : String(error)}\n`);
    return false;
  }
}
