import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitForLock } from './data-folder.ts';
import { keepFormerFiles } from './former-files.ts';
import { readLines } from './output.ts';
import { projectRoot } from './processes/node-child.ts';
import { dieWithParent } from './processes/os-processes.ts';

const cache = join(projectRoot, '.cache');
const dist = join(projectRoot, 'web', 'dist');
const stampFile = join(cache, 'web-build.sha256');
const NOT_SOURCES = new Set(['node_modules', 'dist', 'gql', 'e2e']);
/** What the web app is made of: its own folder, and those that `exports` in the package of the api shares with it. */
const folders = ['web', 'api/src/base', 'api/src/domain', 'api/src/messages'];
const files = [
  'schema.graphql',
  'codegen.yml',
  'package-lock.json',
  'tsconfig.json',
  'api/package.json',
  'api/data/geo/us-places.csv',
];

function sourceFiles(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .filter((entry) => !NOT_SOURCES.has(entry.name))
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const path = join(folder, entry.name);
      return entry.isDirectory() ? sourceFiles(path) : [path];
    });
}

/** A hash of all sources of the web app. */
function hashSources(): string {
  const hash = createHash('sha256');
  const inFolders = folders.flatMap((name) => sourceFiles(join(projectRoot, name)));
  for (const path of [...files.map((name) => join(projectRoot, name)), ...inFolders]) {
    hash.update(path.slice(projectRoot.length)).update('\0').update(readFileSync(path)).update('\0');
  }
  return hash.digest('hex');
}

const isBuilt = (stamp: string): boolean =>
  existsSync(join(dist, 'index.html')) && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp;

function runTool(file: string, args: string[], cwd: string, signal: AbortSignal): Promise<void> {
  const [program = '', ...rest] = [...dieWithParent('KILL'), process.execPath, join(projectRoot, file), ...args];
  const child = spawn(program, rest, {
    cwd,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_ENV: 'production', NO_COLOR: '1' },
  });
  const kill = () => child.kill('SIGKILL');
  signal.addEventListener('abort', kill, { once: true });
  let output: string[] = [];
  const keep = (line: string) => {
    output = [...output, line].slice(-30);
  };
  readLines(child.stdout, keep);
  readLines(child.stderr, keep);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      signal.removeEventListener('abort', kill);
      if (code === 0) resolve();
      else reject(new Error(`The web app could not be built:\n${output.join('\n')}`));
    });
  });
}

/** Builds the web app if its sources have changed since the last build. @returns whether it was built */
export async function buildWeb(signal: AbortSignal): Promise<boolean> {
  const stamp = hashSources();
  if (isBuilt(stamp)) return false;
  mkdirSync(cache, { recursive: true });
  // Two installations may start from the same checkout.
  const lock = await waitForLock(cache, join(cache, 'web-build.lock'), () => {});
  try {
    if (isBuilt(stamp)) return false;
    const fresh = join(cache, 'web-fresh');
    const playground = join(cache, 'web-fresh-playground');
    const drawing = join(cache, 'web-fresh-server');
    const old = join(cache, 'web-old');
    const web = join(projectRoot, 'web');
    const build = (outDir: string, ...options: string[]) => {
      const args = ['build', '--outDir', outDir, '--emptyOutDir', '--logLevel', 'warn', ...options];
      return runTool('node_modules/vite/bin/vite.js', args, web, signal);
    };
    const buildApp = async () => {
      await runTool('node_modules/@graphql-codegen/cli/esm/bin.js', ['--config', 'codegen.yml'], projectRoot, signal);
      await Promise.all([build(fresh), build(drawing, '--config', 'vite/server.config.ts')]);
    };
    // The playground needs nothing of codegen's, and keeps the other processor busy.
    await Promise.all([buildApp(), build(playground, '--config', 'vite/playground.config.ts')]);
    cpSync(playground, fresh, { recursive: true });
    rmSync(playground, { recursive: true });
    renameSync(drawing, join(fresh, 'server'));
    const recordFile = join(cache, 'web-former.json');
    keepFormerFiles(join(dist, 'assets'), join(fresh, 'assets'), { recordFile });
    rmSync(old, { recursive: true, force: true });
    if (existsSync(dist)) renameSync(dist, old);
    renameSync(fresh, dist);
    rmSync(old, { recursive: true, force: true });
    writeFileSync(stampFile, stamp);
    return true;
  } finally {
    lock.release();
  }
}
