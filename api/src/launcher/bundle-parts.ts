import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { projectRoot } from './processes/node-child.ts';

/** Returns Node's arguments for running a file of a part. */
type RunFile = (file: string) => string[];

/** The bundle that this process itself runs from, of which start.mjs informs it. */
const ownBundle = (): string | undefined => process.env.LOTWATCH_BUNDLE || undefined;

/** What each process loads before its own code. */
const first = ['source-maps.mjs', 'collect-garbage.mjs'].flatMap((name) => [
  '--import',
  pathToFileURL(join(projectRoot, 'api/src/launcher', name)).href,
]);

/** Makes the bundle in a process of its own, where it isn't made yet. @returns its folder */
async function makeBundle(args: readonly string[]): Promise<string> {
  const file = join(projectRoot, 'api/src/launcher/make-bundle.mjs');
  return (await promisify(execFile)(process.execPath, [file, ...args])).stdout;
}

const runFrom =
  (bundle: string): RunFile =>
  (file) => [...first, join(bundle, file.replace(/\.ts$/, '.mjs'))];

/** The same bundle but for some packages, so that these are the ones that something loaded before has changed. */
export const bundleWithout = async (packages: readonly string[]): Promise<RunFile> =>
  runFrom(await makeBundle([join(projectRoot, '.cache', 'parts'), ...packages]));

/**
 * Bundles API, worker, demo and sandbox as JavaScript, which loads twice as fast as TypeScript. When the bundle can't be
 * written, the parts run their TypeScript.
 * @param folder where bundles are kept between starts
 */
export async function bundleParts(folder?: string): Promise<RunFile> {
  try {
    return runFrom(folder === undefined ? (ownBundle() ?? (await makeBundle([]))) : await makeBundle([folder]));
  } catch {
    return (file) => ['--import', import.meta.resolve('tsx'), join(projectRoot, file)];
  }
}
