// Bundles API, worker, launcher, demo and sandbox as JavaScript, unless that was done before, and prints the bundle's folder.
// Arguments: the folder of bundles, and packages that stay outside of it.
// A process of its own, as esbuild stays in the memory of one that used it. Plain JavaScript, so that it needs no compiler.
import { createHash } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fsyncSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const projectRoot = fileURLToPath(new URL('../../..', import.meta.url));
const entryPoints = [
  'api/src/main.ts',
  'api/src/launcher/postgres/prepare.ts',
  'api/src/launcher/backup/main.ts',
  'api/demo/main.ts',
  'api/sandbox/main.ts',
];
const MAX_BUNDLES = 5;
/** A server that was started from it may still run. */
const KEPT_MS = 24 * 3_600_000;

/**
 * Packages that stay outside: those with machine code of their own, and MongoDB's client, which looks for optional packages.
 * What is required inside functions, as the vendors' packages are, stays outside in any case.
 */
const alwaysOutside = ['@node-rs/argon2', 'sharp', 'mongodb', 'pg-native', 'class-validator'];

/** Replaces `import.meta.url` and the like by the source's own, so that files find their neighbours from the bundle. */
const ownAddress = {
  name: 'own-address',
  setup: ({ onLoad }) => {
    onLoad({ filter: /\.([cm]?js|ts)$/ }, async ({ path }) => ({
      loader: path.endsWith('.ts') ? 'ts' : 'js',
      contents: (await readFile(path, 'utf8'))
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
        .replaceAll('__dirname', JSON.stringify(dirname(path)))
        // The maps of packages would only make ours larger.
        .replace(/^\/\/# sourceMappingURL=.*$/gm, ''),
    }));
  },
};

/** Workspaces are bundled by their source. */
const workspaces = {
  name: 'workspaces',
  setup: ({ onResolve }) => {
    onResolve({ filter: /^@lotwatch\// }, ({ path }) => ({ path: fileURLToPath(import.meta.resolve(path)) }));
  },
};

/** A hash of all code of the bundle, the versions of its packages, and the project's folder, which it contains. */
function hashCode() {
  const hash = createHash('sha256')
    .update(projectRoot)
    .update(readFileSync(fileURLToPath(import.meta.url)))
    .update(readFileSync(join(projectRoot, 'package-lock.json')))
    .update(outside.join());
  for (const folder of ['api/src', 'api/demo', 'api/sandbox', 'api/migrations']) {
    for (const path of readdirSync(join(projectRoot, folder), { recursive: true, encoding: 'utf8' }).sort()) {
      if (path.endsWith('.ts')) hash.update(`${path}\0`).update(readFileSync(join(projectRoot, folder, path)));
    }
  }
  return hash.digest('hex').slice(0, 20);
}

async function bundle(outdir) {
  const { build } = await import('esbuild');
  const draft = `${outdir}.${process.pid}`;
  await build({
    absWorkingDir: projectRoot,
    entryPoints,
    outdir: draft,
    outbase: projectRoot,
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node22',
    sourcemap: true,
    // The sources are beside it; in each process they would take as much memory as the code.
    sourcesContent: false,
    // What a process has loaded stays in its memory as text, too.
    minifyWhitespace: true,
    minifySyntax: true,
    external: [...alwaysOutside, ...outside],
    // For packages that are CommonJS.
    banner: {
      js: "import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url);",
    },
    // Entities and GraphQL types are registered by the names of their classes.
    keepNames: true,
    tsconfigRaw: readFileSync(join(projectRoot, 'tsconfig.json'), 'utf8'),
    outExtension: { '.js': '.mjs' },
    plugins: [workspaces, ownAddress],
    logLevel: 'silent',
  });
  // Otherwise a power cut could leave the renamed folder with empty files, which every later start would take for whole.
  for (const entry of readdirSync(draft, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) syncFile(join(entry.parentPath, entry.name));
  }
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
  for (const old of others.slice(MAX_BUNDLES)) {
    if (Date.now() - statSync(old).mtimeMs > KEPT_MS) rmSync(old, { recursive: true, force: true });
  }
}

function syncFile(path) {
  const file = openSync(path, 'r');
  fsyncSync(file);
  closeSync(file);
}

const [, , folder = join(projectRoot, '.cache', 'parts'), ...outside] = process.argv;
const outdir = join(folder, hashCode());
if (!existsSync(outdir)) await bundle(outdir);
const now = new Date();
try {
  utimesSync(outdir, now, now);
} catch {
  // The folder is another user's, who has installed it.
}
process.stdout.write(outdir);
