import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { memoryLimits } from './memory-limits.ts';
import { projectRoot } from './processes/node-child.ts';

const textOf = (name: string) => readFileSync(join(projectRoot, name), 'utf8');

it('are the launcher’s in npm start and in the image too', () => {
  const { scripts } = JSON.parse(textOf('package.json')) as { scripts: Record<string, string> };
  expect(scripts.start).toContain(`node ${memoryLimits.launcher.join(' ')} --import`);
  const command = ['node', ...memoryLimits.launcher, '--import'].map((part) => JSON.stringify(part)).join(', ');
  expect(textOf('docker-compose.yml')).toContain(`CMD [${command}`);
});
