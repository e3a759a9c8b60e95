import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { bundleParts } from './bundle-parts.ts';

it('makes one bundle for concurrent starts', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'lotwatch-bundle-'));
  const runs = await Promise.all([bundleParts(folder), bundleParts(folder), bundleParts(folder)]);
  const [bundle = ''] = readdirSync(folder);
  expect(readdirSync(folder)).toHaveLength(1);
  for (const run of runs)
    expect(run('api/src/main.ts')).toEqual(['--enable-source-maps', join(folder, bundle, 'api/src/main.mjs')]);
  rmSync(folder, { recursive: true, force: true });
});
