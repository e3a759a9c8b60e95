import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { findPackageJSON } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, it } from 'vitest';
import { folderOfTest } from '../../test/set-up.ts';
import { bundleParts, bundleWithout } from './bundle-parts.ts';
import { projectRoot } from './processes/node-child.ts';

it('makes one bundle for concurrent starts', { tags: 'long' }, async () => {
  const folder = folderOfTest();
  const runs = await Promise.all([bundleParts(folder), bundleParts(folder)]);
  const [bundle = ''] = readdirSync(folder);
  expect(readdirSync(folder)).toHaveLength(1);
  for (const run of runs) expect(run('api/src/main.ts').at(-1)).toEqual(join(folder, bundle, 'api/src/main.mjs'));
});

it('leaves out a package that something else has changed before', { tags: 'long' }, async () => {
  const importsClient = /from"pg"/;
  const codeOf = (run: (file: string) => string[]) => {
    const main = run('api/src/main.ts').at(-1) ?? '';
    const bundle = join(main, '../../..');
    return readdirSync(bundle)
      .filter((name) => name.endsWith('.mjs'))
      .map((name) => readFileSync(join(bundle, name), 'utf8'))
      .join();
  };
  expect(codeOf(await bundleWithout(['pg']))).toMatch(importsClient);
  expect(codeOf(await bundleParts())).not.toMatch(importsClient);
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

it('names our own source and line in the stack of an error', async () => {
  const args = (await bundleParts())('api/src/main.ts');
  const file = args.pop() ?? '';
  const settings = { ROLE: 'all', PORT: 'none', PATH: process.env.PATH };
  const code = `process.exit = () => { throw new Error('stopped'); }; await import(${JSON.stringify(pathToFileURL(file).href)});`;
  args.push('--input-type=module', '--unhandled-rejections=warn', '-e', code);
  const output = spawnSync(process.execPath, args, { env: settings, encoding: 'utf8', timeout: 30_000 }).stderr;
  const source = readFileSync(join(projectRoot, 'api/src/main.ts'), 'utf8').split('\n');
  const [, line = 0] = /settingsOrExit \(.*\/api\/src\/main\.ts:(\d+):\d+\)/.exec(output) ?? [];
  expect(source[Number(line) - 1], output).toContain('process.exit(1)');
});
