import { expect, it } from 'vitest';
import { auditOf, quarantineSubject } from './operations.ts';

it.each([
  [{}, 'all records'],
  [{ source: 'north-lot', code: 'NO_ID' }, 'all records of source north-lot with NO_ID'],
  [{ ids: ['3', '4'] }, 'records 3, 4'],
  [{ ids: ['3', 'ana@example.test'] }, 'records 3, unknown'],
  [{ source: 'ana@example.test' }, 'all records of source unknown'],
])('tells of records by ids alone: %o', (filter, subject) => {
  expect(quarantineSubject(filter)).toBe(subject);
});

it('counts ids beyond those that it shows', () => {
  const ids = Array.from({ length: 1000 }, (_, index) => String(index + 1));
  const subject = quarantineSubject({ ids });
  expect(subject).toMatch(/^records 1, 2, .*, 20 and 980 more$/);
});

it('never writes down what was typed in place of an id', () => {
  expect(auditOf('executeDeletion')?.subject({ userId: 'ana@example.test' })).toBe('user unknown');
  expect(auditOf('updateDeletionRequest')?.subject({ requestId: 'Ana' })).toBe('deletion request unknown');
  expect(auditOf('updateDeletionRequest')?.subject({ requestId: 'DR-7F3K2Q' })).toBe('deletion request DR-7F3K2Q');
  expect(auditOf('toString')).toBeUndefined();
});
