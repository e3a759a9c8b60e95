import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const root = join(import.meta.dirname, '../../..');

it('the SBOM lists the packages of production, and none that only tests use', { timeout: 60_000, tags: 'long' }, () => {
  const text = execFileSync('npm', ['run', '-s', 'sbom'], { cwd: root, encoding: 'utf8', maxBuffer: 1 << 27 });
  const { bomFormat, components } = JSON.parse(text) as {
    bomFormat: string;
    components: { group?: string; name: string }[];
  };
  const names = components.map(({ group, name }) => (group ? `${group}/${name}` : name));
  expect(bomFormat).toBe('CycloneDX');
  expect(names).toEqual(expect.arrayContaining(['@apollo/server', 'stripe', 'tsx', 'esbuild', 'react']));
  expect(names.filter((name) => ['vitest', 'playwright-core', '@biomejs/biome'].includes(name))).toEqual([]);
});
