// Starts main.ts from its bundle, so that no compiler stays in the memory of the process. Plain JavaScript for that reason.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const makeBundle = fileURLToPath(new URL('./launcher/make-bundle.mjs', import.meta.url));
const { status, stdout } = spawnSync(process.execPath, [makeBundle], { stdio: ['ignore', 'pipe', 'ignore'] });
if (status === 0) {
  await import('./launcher/source-maps.mjs');
  await import('./launcher/collect-garbage.mjs');
  process.env.LOTWATCH_BUNDLE = stdout.toString();
  await import(pathToFileURL(join(process.env.LOTWATCH_BUNDLE, 'api/src/main.mjs')).href);
} else {
  // The bundle can't be written, as in a folder that is read-only.
  const { register } = await import('tsx/esm/api');
  register();
  await import('./main.ts');
}
