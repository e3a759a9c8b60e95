import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { Plugin } from 'esbuild';
import { projectRoot } from './processes/node-child.ts';

/** Replaces `import.meta.url` by the source's URL, so that files find their neighbours from the bundle. */
const importMetaUrl: Plugin = {
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
const bundleFolder = join(projectRoot, '.cache', 'parts');
const MAX_BUNDLES = 5;

/** A hash of all code of the bundle, the versions of its packages, and the project's folder, which it contains. */
function hashCode(): string {
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
    // Entities and GraphQL types are registered by the names of their classes.
    keepNames: true,
    tsconfigRaw: readFileSync(join(projectRoot, 'tsconfig.json'), 'utf8'),
    outExtension: { '.js': '.mjs' },
    plugins: [workspaces, importMetaUrl],
    logLevel: 'silent',
  });
  try {
    renameSync(draft, outdir);
  } catch (error) {
    // Another process has made the same bundle meanwhile.
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(outdir)) throw error;
  }
  const kept = dirname(outdir);
  const others = readdirSync(kept).map((name) => join(kept, name));
  others.sort((a, b) => statSync(b).mtimeMs - statSync(a).mtimeMs);
  for (const old of others.slice(MAX_BUNDLES)) rmSync(old, { recursive: true, force: true });
}

const inProgress = new Map<string, Promise<void>>();

/** Concurrent callers share one build, since two would write into the same draft. */
function bundleOnce(outdir: string): Promise<void> {
  const making = inProgress.get(outdir) ?? bundle(outdir).finally(() => inProgress.delete(outdir));
  inProgress.set(outdir, making);
  return making;
}

/** Returns Node's arguments for running a file of a part. */
type RunFile = (file: string) => string[];

/**
 * Bundles API, worker, demo and sandbox as JavaScript, which loads twice as fast as TypeScript. When the bundle can't be
 * written, the parts run their TypeScript.
 * @param folder where bundles are kept between starts
 */
export async function bundleParts(folder = bundleFolder): Promise<RunFile> {
  try {
    const outdir = join(folder, hashCode());
    if (!existsSync(outdir)) await bundleOnce(outdir);
    const now = new Date();
    utimesSync(outdir, now, now);
    return (file) => ['--enable-source-maps', join(outdir, file.replace(/\.ts$/, '.mjs'))];
  } catch {
    return (file) => ['--import', import.meta.resolve('tsx'), join(projectRoot, file)];
  }
}
