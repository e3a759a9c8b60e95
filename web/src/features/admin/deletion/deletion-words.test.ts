import { expect, test } from 'vitest';
import { isChoosable, reasonPreview, requesterText } from './deletion-words.ts';

test.each([
  ['Too many mails', 'Too many mails'],
  ['x'.repeat(50), 'x'.repeat(50)],
  ['x'.repeat(51), `${'x'.repeat(50)}...`],
  [`${'x'.repeat(49)} and more`, `${'x'.repeat(49)}...`],
  ['👩‍👩‍👧'.repeat(51), `${'👩‍👩‍👧'.repeat(50)}...`],
  ['one\n\ntwo', 'one two'],
])('a reason is cut at 50 characters: %j', (reason, preview) => {
  expect(reasonPreview(reason)).toBe(preview);
});

test('who asks is named until the account is erased', () => {
  expect(requesterText({ username: 'ana', userId: '12' })).toBe('ana (12)');
  expect(requesterText({ username: null, userId: '12' })).toBe('deleted user 12');
});

test('only what the server would allow can be chosen', () => {
  const choices = (status: 'pending' | 'approved' | 'rejected' | 'completed', decisions: ('approved' | 'rejected')[]) =>
    ['pending', 'approved', 'rejected', 'completed'].filter((to) => isChoosable({ status, decisions }, to));
  expect(choices('pending', ['approved', 'rejected'])).toEqual(['pending', 'approved', 'rejected']);
  expect(choices('approved', [])).toEqual(['approved']);
  expect(choices('rejected', [])).toEqual([]);
  expect(choices('completed', [])).toEqual([]);
});
