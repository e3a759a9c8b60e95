import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { auditActions } from '../domain/audit-actions.ts';
import { commandActions } from './command-actions.ts';
import { operations } from './operations.ts';

it('names every command that runs our own code', () => {
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(
    readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
  );
  const ours = Object.keys(scripts).filter((name) => scripts[name]?.includes('api/src/cli/'));
  expect(Object.keys(commandActions).sort()).toEqual(ours.sort());
});

it('uses every action of the log', () => {
  const used = new Set<string | undefined>([
    ...Object.values(operations.mutation).map(({ audit }) => audit?.action),
    ...Object.values(commandActions).flat(),
    // Written by verbs in which nobody is signed in yet.
    'admin.login',
    'admin.password.reset',
  ]);
  expect(Object.keys(auditActions).filter((action) => !used.has(action))).toEqual([]);
});
