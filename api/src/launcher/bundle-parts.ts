import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Plugin } from 'esbuild';
import { projectRoot } from './processes/node-child.ts';

/** Every file goes on finding what lies beside it, although it runs from another place. */
const ownAddress: Plugin = {
  name: 'own-address',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\.ts$/ }, async ({ path }) => ({
      loader: 'ts',
      contents: (await readFile(path, 'utf8')).replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href)),
    }));
  },
};

/** Workspaces are bundled by their source, unlike packages, which stay external. */
const workspaces: Plugin = {
  name: 'workspaces',
  setup: ({ onResolve }) => {
    onResolve({ filter: /^@lotwatch\// }, ({ path }) => ({ path: fileURLToPath(import.meta.resolve(path)) }));
  },
};

const entryPoints = ['api/src/main.ts', 'api/demo/main.ts', 'api/sandbox/main.ts'];
const keptBundles = join(projectRoot, '.cache', 'parts');
const KEPT_BUNDLES = 5;

/** A hash over all code that can be in the bundle, the versions of what it imports, and the folder, which it names. */
function stampOfCode(): string {
  const hash = createHash('sha256')
    .update(projectRoot)
    .update(readFileSync(join(projectRoot, 'package-lock.json')));
  for (const folder of ['api/src', 'api/demo', 'api/sandbox', 'api/migrations']) {
    for (const path of readdirSync(join(projectRoot, folder), { recursive: true, encoding: 'utf8' }).sort()) {
      if (path.endsWith('.ts')) hash.update(`${path}\0`).update(readFileSync(join(projectRoot, folder, path)));
    }
  }
  return hash.digest('hex').slice(0, 20);
}

async function bundle(outdir: string): Promise<void> {
  const { build } = await import('esbuild');
  const draft = `${outdir}.${process.pid}`;
  await build({
    absWorkingDir: projectRoot,
    entryPoints,
    outdir: draft,
    outbase: projectRoot,
    bundle: true,
    splitting: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node22',
    sourcemap: true,
    // Entities and GraphQL types are known by the names of their classes.
    keepNames: true,
    tsconfigRaw: readFileSync(join(projectRoot, 'tsconfig.json'), 'utf8'),
    outExtension: { '.js': '.mjs' },
    plugins: [workspaces, ownAddress],
    logLevel: 'silent',
  });
  try {
    renameSync(draft, outdir);
  } catch (error) {
    // Another process was as quick: its bundle is of the same code.
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(outdir)) throw error;
  }
  const kept = dirname(outdir);
  const others = readdirSync(kept).map((name) => join(kept, name));
  others.sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  for (const old of others.slice(KEPT_BUNDLES)) rmSync(old, { recursive: true, force: true });
}

const underWay = new Map<string, Promise<void>>();

/** Whoever asks while it is made waits for the one that is made: two would write into one draft. */
function bundleOnce(outdir: string): Promise<void> {
  const making = underWay.get(outdir) ?? bundle(outdir).finally(() => underWay.delete(outdir));
  underWay.set(outdir, making);
  return making;
}

/** Node's arguments that run one of the parts' files. */
type RunFile = (file: string) => string[];

/**
 * Makes plain JavaScript of api, worker, demo and sandbox: it loads in half the time that TypeScript takes.
 * Where it can't be written, the parts run their TypeScript.
 * @param folder where bundles are kept from one start to the next
 */
export async function bundleParts(folder = keptBundles): Promise<RunFile> {
  try {
    const outdir = join(folder, stampOfCode());
    if (!existsSync(outdir)) await bundleOnce(outdir);
    const now = new Date();
    utimesSync(outdir, now, now);
    return (file) => ['--enable-source-maps', join(outdir, file.replace(/\.ts$/, '.mjs'))];
  } catch {
    return (file) => ['--import', import.meta.resolve('tsx'), join(projectRoot, file)];
  }
}
