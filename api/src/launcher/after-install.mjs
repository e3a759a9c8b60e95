// Runs at the end of `npm ci`: builds the web app and bundles the code, so that the first start finds both. It never fails
// the install, as a start builds what is missing. Plain JavaScript, for any Node, like all that may run before the guard.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const fileOf = (path) => fileURLToPath(new URL(path, import.meta.url));

/** @returns whether it ended well */
function run(...args) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, args, { cwd: fileOf('../../..'), stdio: ['ignore', 'ignore', 'inherit'] });
    child.once('error', () => resolve(false));
    child.once('close', (code) => resolve(code === 0));
  });
}

// An install without development packages, as of an image that was built elsewhere, has nothing to build with.
const canBuild = ['vite', 'tsx', '@graphql-codegen/cli'].every((name) =>
  existsSync(fileOf(`../../../node_modules/${name}/package.json`)),
);
if (canBuild) {
  const guard = ['--import', fileOf('../base/node-guard.mjs')];
  const [isBuilt] = await Promise.all([
    run(...guard, '--import', 'tsx', fileOf('../cli/build-web.ts')),
    run(...guard, fileOf('make-bundle.mjs')),
  ]);
  if (!isBuilt) console.error('The web app was not built: the next start tries it again.');
}
