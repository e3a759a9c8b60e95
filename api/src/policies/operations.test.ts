import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { type AuditAction, auditActions } from '../domain/audit-actions.ts';
import { auditOf, operations, quarantineSubject } from './operations.ts';

/** The commands of package.json, with the actions that each writes to the audit log. */
const commandActions: Readonly<Record<string, readonly AuditAction[]>> = {
  'admin:password': ['admin.password.command', 'admin.second-factor.command'],
  quarantine: ['quarantine.retry'],
  shards: [],
  sources: ['source.end', 'source.resume'],
  // These change nothing in the database. Stripe has a log of what stripe:setup creates.
  backup: [],
  build: [],
  restore: ['messages.hold'],
  restored: ['messages.compare', 'messages.discard', 'messages.hold', 'messages.release'],
  schema: [],
  parse: [],
  place: [],
  'stripe:setup': [],
};

it.each([
  [{}, 'all records'],
  [{ source: 'north-lot', code: 'NO_ID' }, 'all records of source north-lot with NO_ID'],
  [{ ids: ['3', '4'] }, 'records 3, 4'],
  [{ ids: ['3', 'ana@example.test'] }, 'records 3, unknown'],
  [{ source: 'ana@example.test' }, 'all records of source unknown'],
])('describes records only by ids: %o', (filter, subject) => {
  expect(quarantineSubject(filter)).toBe(subject);
});

it('counts ids beyond those that it shows', () => {
  const ids = Array.from({ length: 1000 }, (_, index) => String(index + 1));
  const subject = quarantineSubject({ ids });
  expect(subject).toMatch(/^records 1, 2, .*, 20 and 980 more$/);
});

it('does not log a text that is not an id', () => {
  expect(auditOf('executeDeletion')?.subject({ userId: 'ana@example.test' })).toBe('user unknown');
  expect(auditOf('updateDeletionRequest')?.subject({ requestId: 'Ana' })).toBe('deletion request unknown');
  expect(auditOf('updateDeletionRequest')?.subject({ requestId: 'DR-7F3K2Q' })).toBe('deletion request DR-7F3K2Q');
  expect(auditOf('toString')).toBeUndefined();
});

it('lists every command of package.json', () => {
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(
    readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'),
  );
  const ours = Object.keys(scripts).filter((name) => scripts[name]?.includes('api/src/cli/'));
  expect(Object.keys(commandActions).sort()).toEqual(ours.sort());
});

it('uses every action of the audit log', () => {
  const used = new Set<string | undefined>([
    ...Object.values(operations.mutation).map(({ audit }) => audit?.action),
    ...Object.values(commandActions).flat(),
    // These are written by verbs before anybody is signed in.
    'admin.login',
    'admin.password.reset',
  ]);
  expect(Object.keys(auditActions).filter((action) => !used.has(action))).toEqual([]);
});
