import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const KNOWN = [
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
];

const find = (): string | undefined => [process.env.CHROMIUM ?? '', ...KNOWN].find((path) => path && existsSync(path));

/** The browser of this machine, installed from Debian's packages where that is possible; undefined where it isn't. */
export function findChromium(): string | undefined {
  const known = find();
  if (known !== undefined) return known;
  if (process.getuid?.() !== 0 || spawnSync('apt-get', ['--version'], { stdio: 'ignore' }).status !== 0)
    return undefined;
  process.stderr.write('Chromium is not there: installing it with apt-get …\n');
  try {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
    execFileSync('apt-get', ['update', '-qq'], { stdio: 'ignore', env, timeout: 60_000 });
    const install = ['install', '-y', '-qq', '--no-install-recommends', 'chromium'];
    execFileSync('apt-get', install, { stdio: 'ignore', env, timeout: 180_000 });
  } catch (error) {
    process.stderr.write(`apt-get could not install it: ${error instanceof Error ? error.message : String(error)}\n`);
  }
  return find();
}
