import { expect, it } from 'vitest';
import { failpointAfter, failpointBefore } from './failpoints.ts';

const transaction = { isOpen: false, onCommit: null };
const statement = (name: string, values: unknown[] = []) => ({ name, text: '', values });
const after = (name: string, { command = 'SELECT', rowCount = 1 } = {}) =>
  failpointAfter(statement(name), { command, rowCount }, transaction);

it('reaches the failpoints of a transaction when it commits, and none when it rolls back', () => {
  after('', { command: 'BEGIN' });
  expect(after('insert-new-listings')).toBeNull();
  expect(after('', { command: 'COMMIT' })).toBe('after-commit');
  after('', { command: 'BEGIN' });
  expect(after('match-listings-fresh', { rowCount: 0 })).toBeNull();
  expect(after('match-listings-fresh')).toBe('mid-match');
  expect(after('notify-claim')).toBeNull();
  expect(after('', { command: 'ROLLBACK' })).toBeNull();
  after('', { command: 'BEGIN' });
  after('notify-claim');
  expect(after('', { command: 'COMMIT' })).toBe('after-claim');
  after('', { command: 'BEGIN' });
  expect(after('', { command: 'COMMIT' })).toBeNull();
});

it('reaches the record of a sent mail or text before it is written, and that of a failed one not at all', () => {
  expect(failpointBefore(statement('notify-sent', [['id'], 'sent', null]))).toBe('before-record');
  expect(failpointBefore(statement('complete-text', ['id', 'sent']))).toBe('text-accepted');
  expect(failpointBefore(statement('complete-text', ['id', 'failed']))).toBeNull();
  expect(failpointBefore(statement('notify-complete', [['id'], 'failed', null]))).toBeNull();
});

it('reaches the claim of a source in a transaction or alone, and the middle of a backfill', () => {
  expect(after('claim-source', { rowCount: 0 })).toBeNull();
  expect(after('claim-source')).toBe('source-claimed');
  after('', { command: 'BEGIN' });
  expect(after('claim-source')).toBeNull();
  expect(after('', { command: 'COMMIT' })).toBe('source-claimed');
  expect(after('match-alerts-again', { rowCount: 0 })).toBe('backfill');
});
