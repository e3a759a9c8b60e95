import { readdirSync, readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { folderOfTest } from '../../test/set-up.ts';
import { bundleParts } from './bundle-parts.ts';
import { projectRoot } from './processes/node-child.ts';

it('makes one bundle for concurrent starts', async () => {
  const folder = folderOfTest();
  const runs = await Promise.all([bundleParts(folder), bundleParts(folder), bundleParts(folder)]);
  const [bundle = ''] = readdirSync(folder);
  expect(readdirSync(folder)).toHaveLength(1);
  for (const run of runs) expect(run('api/src/main.ts').at(-1)).toEqual(join(folder, bundle, 'api/src/main.mjs'));
});

it('imports each package in the version that its workspace depends on, although it lies outside of it', () => {
  const bundle = join(projectRoot, '.cache', 'parts', 'bundle.mjs');
  for (const workspace of ['api', 'api/sandbox']) {
    const manifest = join(projectRoot, workspace, 'package.json');
    const { dependencies } = JSON.parse(readFileSync(manifest, 'utf8')) as { dependencies: Record<string, string> };
    for (const name of Object.keys(dependencies).filter((name) => !name.startsWith('@lotwatch/'))) {
      expect(findPackageJSON(name, bundle), name).toBe(findPackageJSON(name, manifest));
    }
  }
});
