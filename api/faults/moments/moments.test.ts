import { expect, it } from 'vitest';
import { momentAfter, momentBefore, newDoing } from './moments.ts';

const doing = newDoing();
const after = (text: string, { name = '', command = '', rowCount = 1, rows = [] as unknown[] } = {}) =>
  momentAfter({ name, text, values: [] }, { command, rowCount, rows }, doing);

it('knows the moments by the statements and their transaction', () => {
  after('begin');
  expect(after('with n as (select 1) insert into listings (id) select 1')).toBeNull();
  expect(after('commit', { command: 'COMMIT' })).toBe('after-commit');
  after('begin');
  expect(after('insert into matches select 1', { rows: [{ ids: [] }] })).toBeNull();
  expect(after('insert into matches select 1', { rows: [{ ids: [1] }] })).toBe('mid-match');
  expect(after('with mail as (insert into mails …)', { name: 'notify-claim' })).toBeNull();
  expect(after('commit', { command: 'ROLLBACK' })).toBeNull();
  after('begin');
  after('with mail as (insert into mails …)', { name: 'notify-claim' });
  expect(after('commit', { command: 'COMMIT' })).toBe('after-claim');
  const settle = 'update mails m set status = $2, sent_at = now()';
  expect(momentBefore({ name: '', text: settle, values: [['id'], 'sent', null] })).toBe('before-record');
  expect(momentBefore({ name: '', text: settle, values: [['id'], 'failed', null] })).toBeNull();
});

it('knows the claim of a source, in a transaction or alone, and the midst of a look-back', () => {
  const claim = 'update sources set next_poll_at = now() where name = $1 returning name, kind, settings';
  expect(after(claim, { rowCount: 0 })).toBeNull();
  expect(after(claim)).toBe('source-claimed');
  after('begin');
  expect(after(claim)).toBeNull();
  expect(after('commit', { command: 'COMMIT' })).toBe('source-claimed');
  expect(after('… insert into matches …', { name: 'match-alerts-again', rowCount: 0 })).toBe('look-back');
});
